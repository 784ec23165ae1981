// Takes a chainlist from the user's own computer. The text is read here; nothing is uploaded as a file.
export default {
  template: `<label class="bench-picker"><span>A chainlist of this computer</span><input type="file" accept=".chain,.txt,text/plain" @change="pick"></label>`,
  props: { longest: Number },
  methods: {
    async pick(event) {
      const [file] = event.target.files;
      if (!file) return;
      if (file.size > this.longest) this.$emit("refused");
      else this.$emit("picked", await file.text());
    },
  },
};
