// Makes a NiceGUI CodeMirror an editor for chainlists: colours, messages, completion, numbers that move.
import * as CM from "nicegui-codemirror";
import { hear, tell } from "/bench/bench.js";
import { Documents } from "/bench/documents.js";
import { Drafts, offer } from "/bench/drafts.js";
import { InStep } from "/bench/in_step.js";
import { keepAbout, keepText, keptAbout, keptText } from "/bench/kept.js";
import { keepKnobs, knobField, turnKnob, writeRange, writeSweep } from "/bench/knob_text.js";
import { colours, languageData } from "/bench/language.js";
import { Questions } from "/bench/questions.js";
import { messageMarks, showMessages } from "/bench/marks.js";
import { fits, handleField, keepHandles, moveHandle, movingNumbers } from "/bench/numbers.js";
import { keepOptions, optionField, writeOption } from "/bench/option_text.js";
import { keepPlots, plotField, writeAxes } from "/bench/axes_text.js";
import { OneStep } from "/bench/one_step.js";

export default {
  template: "<span hidden></span>",
  props: { editor: Number, longest: Number },
  async mounted() {
    await this.$nextTick();
    const component = getElement(this.editor);
    await component.editorPromise;
    const given = component.editor.state.doc;
    component.emitting = false; // what is sent before the handshake arrives in any order
    while (!window.did_handshake) await new Promise((done) => setTimeout(done, 10));
    component.emitting = true;
    this.view = component.editor;
    const kept = keptText();
    this.inStep = new InStep(component, this.longest, (length) => this.$emit("overlong", length));
    if (!this.view.state.doc.eq(given)) this.inStep.send(); // typed meanwhile
    this.questions = new Questions((question) => this.$emit("question", question));
    const ask = (what, at) => this.questions.ask(what, at, this.view.state.doc.length);
    this.view.dispatch({
      effects: [
        component.themeConfig.reconfigure([]), // colours come from the style sheet, light and dark
        CM.StateEffect.appendConfig.of([
          this.inStep.extension,
          CM.EditorView.updateListener.of((update) => update.docChanged && this.changed(update.state.doc.toString())),
          // A text that is opened is a step of its own: one undo brings back the text before it.
          CM.EditorState.transactionExtender.of((change) => (component.emitting ? null : { annotations: CM.isolateHistory.of("full") })),
          colours, languageData(ask), messageMarks(ask), movingNumbers(), handleField, knobField, optionField, plotField,
          CM.EditorView.contentAttributes.of({ "aria-label": "Chainlist", spellcheck: "false", autocapitalize: "off" }),
          CM.Prec.highest(CM.keymap.of([{ key: "Mod-Enter", run: () => this.ask("run") }, { key: "Mod-s", run: () => this.ask("save"), preventDefault: true }])),
        ]),
      ],
    });
    const base = this.view.state;
    this.begin(component, kept);
    this.documents = new Documents(this.view, base, component.$el.parentElement, (one) => this.showDocument(one));
    tell("text", this.view.state.doc.toString());
    this.drafts = new Drafts();
    const deaf = [
      hear("drag", ({ what, x, y, decimals }) => moveHandle((this.drag ??= new OneStep(this.view)), what, x, y, decimals)),
      hear("drop", () => this.drag = void this.drag?.done("input.handle")),
      hear("turn", ({ name, value }) => this.turn(name, value)),
      hear("write", ({ changes }) => this.view.dispatch({ changes, userEvent: "input.draw", annotations: CM.isolateHistory.of("full") })),
      hear("undo", () => CM.undo(this.view)),
      hear("redo", () => CM.redo(this.view)),
      hear("turned", () => this.turned()),
      hear("sweep", (name) => this.sweep(name)),
      hear("axes", (choice) => writeAxes(this.view, choice)),
      hear("option", ({ name, value }) => writeOption(this.view, name, value)),
      hear("knobRange", ({ name, low, high }) => writeRange(this.view, name, low, high)),
      hear("saved", (saved) => (saved ? this.drafts.drop() : this.drafts.keep(this.view.state.doc.toString(), keptAbout()))),
    ];
    this.stopHearing = () => deaf.forEach((stop) => stop());
    offer(component.$el.parentElement, this.drafts, (draft) => this.$emit("draft", { text: draft.text, file: draft.file, stamp: draft.stamp }));
    for (const action of this.waiting ?? []) action();
    this.waiting = null;
    globalThis.chainlistEditor = this.view; // for the curious, and for tests
    this.$emit("ready");
  },
  beforeUnmount() {
    this.stopHearing?.();
    this.drafts?.stop();
    this.documents?.stop();
    this.inStep?.stop();
  },
  methods: {
    /** Show the text that this tab had before it was loaded again, and tell the server what it is. */
    begin(component, kept) {
      if (kept !== null) {
        component.emitting = false;
        const changes = { from: 0, to: this.view.state.doc.length, insert: kept };
        this.view.dispatch({ changes, annotations: CM.Transaction.addToHistory.of(false) });
        component.emitting = true;
        this.inStep.send();
      }
      this.$emit("begin", { ...keptAbout(), kept: kept !== null, fragment: location.hash });
      keepAbout({ link: location.hash });
    },
    /** Another text is in the editor: the server is told what it is, then all of it. */
    showDocument({ file, stamp, text, number }) {
      this.$emit("document", { file, stamp, number });
      keepText(text);
      this.inStep.send();
      tell("text", text);
    },
    changed(text) {
      if (!this.turning) keepText(text); // which costs more than to show it
      if (this.drafts?.mine) this.drafts.keep(text, keptAbout());
      tell("text", text);
    },
    /** What the server knows about a text; another one may be shown since. */
    remember(number, facts, session) {
      keepAbout({ session });
      if (this.documents) this.documents.remember(number, facts);
      else keepAbout(facts);
    },
    ask(what) {
      this.$emit(what);
      return true;
    },
    answer(number, answer) {
      this.questions?.answer(number, answer);
    },
    whenReady(action) {
      if (this.view) action();
      else (this.waiting ??= []).push(action);
    },
    /** What the server found in a text of this length. A text that has changed since gets its own reading soon. */
    read({ diagnostics, handles, knobs, length, options, plots, items }) {
      this.whenReady(() => {
        this.inStep.heard(length);
        if (this.view.state.doc.length !== length || !fits(this.view, handles)) return;
        showMessages(this.view, diagnostics);
        keepHandles(this.view, handles);
        tell("handles", handles);
        keepKnobs(this.view, knobs);
        tell("knobs", knobs);
        keepOptions(this.view, options);
        tell("options", options);
        keepPlots(this.view, plots);
        tell("plots", { plots, items });
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
    /** A knob is moved: the number in the text with it, and the server shows what it can of the motion at once. */
    turn(name, value) {
      if (!this.turning) this.$emit("turning", globalThis.chainlistBench.tabs.open);
      this.turning ??= new OneStep(this.view);
      turnKnob(this.turning, name, value);
    },
    turned() {
      this.turning?.done("input.turn");
      if (this.turning) this.$emit("turning", "");
      this.turning = null;
      keepText(this.view.state.doc.toString());
    },
    /** Write the cards that sweep a knob, where there are none yet, and run. */
    sweep(name) {
      writeSweep(this.view, name);
      tell("showAnalyses", null);
      this.$emit("run");
    },
    focus() {
      this.whenReady(() => this.view.focus());
    },
  },
};
