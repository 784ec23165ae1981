// Things of the whole page: theme, the divider between text and picture, keys, links that carry a chainlist.
import { Divider } from "/bench/divider.js";
import { keepAbout } from "/bench/kept.js";

export default {
  template: "<span hidden></span>",
  mounted() {
    this.applyTheme();
    const main = document.querySelector(".bench-main"), bar = document.querySelector(".bench-split");
    new Divider(bar, main, { across: true, property: "--left", initial: 40, label: "Width of the editor" });
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.hash = () => {
      keepAbout({ link: location.hash });
      this.$emit("fragment", location.hash);
    };
    addEventListener("hashchange", this.hash);
  },
  beforeUnmount() {
    document.removeEventListener("keydown", this.keys);
    removeEventListener("hashchange", this.hash);
  },
  methods: {
    key(event) {
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.defaultPrevented) {
        event.preventDefault();
        return this.$emit("run");
      }
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || target?.closest("input, select, textarea, .cm-editor, [role=dialog], [role=separator], [role=tab], button")) return;
      globalThis.chainlistBench?.key(event);
    },
    theme() {
      const root = document.documentElement, dark = root.dataset.theme === "dark";
      localStorage.setItem("chainlist-theme", dark ? "light" : "dark");
      this.applyTheme();
    },
    applyTheme() {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      const chosen = localStorage.getItem("chainlist-theme") ?? system;
      document.documentElement.dataset.theme = chosen;
      globalThis.Quasar?.Dark.set(chosen === "dark");
    },
    pane(name) {
      document.querySelector(".bench-main").dataset.pane = name;
    },
    /** Put a link that carries the text into the address bar, and into the clipboard where that is allowed. */
    async share(fragment) {
      history.replaceState(null, "", `#${fragment}`);
      keepAbout({ link: location.hash });
      try {
        await navigator.clipboard.writeText(location.href);
        return true;
      } catch {
        return false;
      }
    },
  },
};
