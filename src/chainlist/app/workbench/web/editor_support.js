// Makes a NiceGUI CodeMirror an editor for chainlists: colours, messages, completion, numbers that move.
import * as CM from "nicegui-codemirror";
import { hear, tell } from "/bench/bench.js";
import { colours, languageData } from "/bench/language.js";
import { messageMarks, showMessages } from "/bench/marks.js";
import { fits, handleField, keepHandles, moveHandle, movingNumbers } from "/bench/numbers.js";

export default {
  template: "<span hidden></span>",
  props: { editor: Number, vocabulary: Object },
  async mounted() {
    await this.$nextTick();
    const component = getElement(this.editor);
    await component.editorPromise;
    this.view = component.editor;
    const vocabulary = JSON.parse(JSON.stringify(this.vocabulary));
    this.view.dispatch({
      effects: [
        component.themeConfig.reconfigure([]), // colours come from the style sheet, light and dark
        CM.StateEffect.appendConfig.of([
          colours, languageData(vocabulary), messageMarks(vocabulary), movingNumbers(), handleField,
          CM.EditorView.contentAttributes.of({ "aria-label": "Chainlist", spellcheck: "false", autocapitalize: "off" }),
          CM.Prec.highest(CM.keymap.of([{ key: "Mod-Enter", run: () => this.ask("run") }, { key: "Mod-s", run: () => this.ask("save") }])),
        ]),
      ],
    });
    this.stopHearing = hear("drag", ({ what, x, y, decimals }) => moveHandle(this.view, what, x, y, decimals));
    for (const action of this.waiting ?? []) action();
    this.waiting = null;
    globalThis.chainlistEditor = this.view; // for the curious, and for tests
    this.$emit("ready");
  },
  beforeUnmount() {
    this.stopHearing?.();
  },
  methods: {
    ask(what) {
      this.$emit(what);
      return true;
    },
    whenReady(action) {
      if (this.view) action();
      else (this.waiting ??= []).push(action);
    },
    /** What the server found in a text of this length. A text that has changed since gets its own reading soon. */
    read(messages, handles, length) {
      this.whenReady(() => {
        if (this.view.state.doc.length !== length || !fits(this.view, handles)) return;
        showMessages(this.view, messages);
        keepHandles(this.view, handles);
        tell("handles", handles);
      });
    },
    go(line, column) {
      this.whenReady(() => {
        const place = this.view.state.doc.line(Math.max(1, Math.min(line, this.view.state.doc.lines)));
        const anchor = Math.min(place.from + column - 1, place.to);
        this.view.dispatch({ selection: { anchor }, effects: CM.EditorView.scrollIntoView(anchor, { y: "center" }) });
        this.view.focus();
      });
    },
    focus() {
      this.whenReady(() => this.view.focus());
    },
  },
};
