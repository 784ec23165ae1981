// Learn: the guide, the words of the language, messages and examples, beside the text. Pages come from the server once; all the rest is here.

const MOST = 60; // results of a search that are listed
const FOLDED = ["Options", "Items", "Functions", "Messages", "Examples"]; // groups that are long: listed when opened

export default {
  template: `<aside class="bench-learn" aria-label="Learn" hidden>
    <div class="bench-learn-head"><input type="search" placeholder="Search: spring, .step, E270 \u2026" aria-label="Search what there is to learn"><button type="button" class="bench-learn-close" aria-label="Close Learn">\u2715</button></div>
    <nav aria-label="Pages"></nav>
    <article tabindex="0"></article>
  </aside>`,
  mounted() {
    const [head, list, article] = this.$el.children;
    [this.field, this.closing] = head.children;
    Object.assign(this, { list, article });
    this.field.addEventListener("input", () => this.search(this.field.value));
    this.closing.addEventListener("click", () => this.toggle(false));
    this.$el.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.toggle(false);
      event.stopPropagation(); // keys of the picture are not meant here
    });
    this.article.addEventListener("click", (event) => this.clicked(event));
    this.hear = (event) => this.open(event.detail);
    addEventListener("chainlist-learn", this.hear);
  },
  beforeUnmount() {
    removeEventListener("chainlist-learn", this.hear);
  },
  methods: {
    async toggle(on = this.$el.hidden) {
      this.$el.hidden = !on;
      document.querySelector(".bench-main").classList.toggle("bench-learning", on);
      if (!on) return document.querySelector(".bench-learn-button")?.focus();
      await this.load();
      this.field.focus();
    },
    async load() {
      if (this.pages) return;
      const response = await fetch("/learn");
      if (!response.ok) return this.list.replaceChildren(line(`The pages cannot be had now: the server answered ${response.status}.`));
      this.pages = (await response.json()).map((page) => ({ ...page, words: plain(page.html).toLowerCase() }));
      this.search("");
    },
    /** Show one page by its key. */
    async open(key) {
      await this.toggle(true);
      const page = this.pages?.find((one) => one.key === key);
      if (page) this.show(page);
    },
    /** Pages whose title, then whose text, has all the words. */
    search(text) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      this.article.hidden = true;
      this.list.hidden = false;
      if (!this.pages) return;
      if (!words.length) return this.list.replaceChildren(...this.contents());
      const has = (hay) => words.every((word) => hay.includes(word));
      const by = (rank) => this.pages.filter((page) => rank === this.rank(page, has));
      const found = [0, 1, 2].flatMap(by).slice(0, MOST);
      this.list.replaceChildren(...(found.length ? [this.links(found, true)] : [line("Nothing is found.")]));
    },
    rank(page, has) {
      const title = page.title.toLowerCase();
      return has(title) ? (title.startsWith(this.field.value.toLowerCase().trim()) ? 0 : 1) : has(page.words) ? 2 : 3;
    },
    contents() {
      return [...new Set(this.pages.map((page) => page.group))].map((group) => {
        const box = document.createElement("details"), head = document.createElement("summary");
        box.open = !FOLDED.includes(group);
        head.textContent = group;
        box.append(head, this.links(this.pages.filter((page) => page.group === group), false));
        return box;
      });
    },
    links(pages, named) {
      const list = document.createElement("ul");
      list.append(...pages.map((page) => {
        const entry = document.createElement("li"), link = document.createElement("button");
        link.type = "button";
        link.textContent = named ? `${page.title} \u2013 ${page.group}` : page.title;
        link.addEventListener("click", () => this.show(page));
        entry.append(link);
        return entry;
      }));
      return list;
    },
    show(page) {
      const back = document.createElement("button"), body = document.createElement("div");
      back.type = "button";
      back.className = "bench-learn-back";
      back.textContent = "\u2190 all pages";
      back.addEventListener("click", () => this.search(this.field.value));
      body.innerHTML = page.html; // written by the server from files of the package alone
      for (const code of body.querySelectorAll("pre > code")) this.offer(code);
      for (const wide of body.querySelectorAll("pre, table")) wide.tabIndex = 0; // they scroll
      this.article.replaceChildren(back, body);
      this.list.hidden = true;
      this.article.hidden = false;
      this.article.scrollTop = 0;
      this.article.focus();
    },
    /** A chainlist on a page can be tried: it comes in place of the text, and an undo brings that back. */
    offer(code) {
      const text = code.textContent.replace(/\n*$/, "\n");
      if (!/^\s*[BRX]\w/im.test(text) || !/^\.tran/im.test(text)) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "bench-learn-try";
      button.textContent = "Try it";
      button.addEventListener("click", () => this.$emit("try", text));
      code.parentElement.after(button);
    },
    clicked(event) {
      const link = event.target.closest?.("a[href^='#']");
      if (!link) return;
      event.preventDefault();
      const page = this.pages.find((one) => `#${one.key}` === link.getAttribute("href"));
      if (page) this.show(page);
      else this.article.querySelector(`[id="${link.getAttribute("href").slice(1)}"]`)?.scrollIntoView();
    },
  },
};

function plain(html) {
  return new DOMParser().parseFromString(html, "text/html").body.textContent;
}

function line(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}
