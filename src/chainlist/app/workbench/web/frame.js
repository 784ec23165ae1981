// Things of the whole page: theme, the divider between text and picture, keys, links that carry a chainlist.
import { Divider } from "/bench/divider.js";
import { hear, tell } from "/bench/bench.js";
import { keepAbout, keptAbout } from "/bench/kept.js";
import { noteFile, recentFiles } from "/bench/recent.js";

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
    this.gone = () => navigator.sendBeacon(`/gone/${keptAbout().session ?? ""}`); // others may have the worker at once
    addEventListener("pagehide", this.gone);
    this.unsaved = false;
    const deaf = [hear("anyUnsaved", (any) => (this.unsaved = any)), hear("pane", (name) => this.pane(name))];
    this.deaf = () => deaf.forEach((stop) => stop());
    this.ask = (event) => this.unsaved && event.preventDefault(); // the browser asks whether to leave
    addEventListener("beforeunload", this.ask);
    this.pane("edit");
  },
  beforeUnmount() {
    this.deaf();
    removeEventListener("pagehide", this.gone);
    removeEventListener("beforeunload", this.ask);
    document.removeEventListener("keydown", this.keys);
    removeEventListener("hashchange", this.hash);
  },
  methods: {
    key(event) {
      if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.defaultPrevented) {
        event.preventDefault();
        return this.$emit("run");
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s" && !event.defaultPrevented) {
        event.preventDefault();
        return this.$emit(event.shiftKey ? "saveAs" : "save");
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
    /** On narrow screens: the part of the page that is shown. */
    pane(name) {
      document.querySelector(".bench-main").dataset.pane = name;
      for (const button of document.querySelectorAll(".bench-panes [data-pane]")) {
        if (button.dataset.pane === name) button.setAttribute("aria-current", "page");
        else button.removeAttribute("aria-current");
      }
    },
    /** What the text is called, whether that is a file, and whether it holds something that was not saved. */
    showDocument(number, name, isFile, unsaved) {
      tell("document", { number, name, unsaved });
      if (isFile) noteFile(name);
      const shown = document.querySelector(".bench-file");
      shown.textContent = name + (unsaved ? " \u25cf" : "");
      shown.title = unsaved ? `${name}: not saved` : name;
      document.title = `${unsaved ? "\u25cf " : ""}${name} \u2013 chainlist`;
      tell("saved", !unsaved);
    },
    recent() { return recentFiles(); },
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
