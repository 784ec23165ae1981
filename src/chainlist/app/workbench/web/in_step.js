// Holds the server's copy of the text equal to the editor's. NiceGUI sends every change; what it cannot send, or what
// got lost on the way, is mended here by sending the whole text.
import * as CM from "nicegui-codemirror";

const PIECE = 100_000; // characters: a message may have a million, and one character can take seven of them
const PATIENCE = 1000; // ms after the last change in which the server should have read it
const LONE = /\p{Surrogate}/gu; // half a character: no text that could be stored or sent

export class InStep {
  /** `component` is the NiceGUI CodeMirror; `tooLong(length)` is told of a change that is refused. */
  constructor(component, longest, tooLong) {
    this.component = component;
    this.read = true; // the server has read the text as it is
    const outer = this;
    const watch = CM.ViewPlugin.fromClass(class {
      update(update) {
        if (update.docChanged) outer.changed(update);
      }
    });
    this.extension = [
      CM.Prec.highest(watch), // before the one of NiceGUI, which sends the change
      CM.EditorState.transactionFilter.of((change) => {
        const fits = !change.docChanged || !component.emitting || change.newDoc.length <= Math.max(longest, change.startState.doc.length);
        if (!fits) tooLong(change.newDoc.length);
        return fits ? change : [];
      }),
    ];
  }
  get view() {
    return this.component.editor;
  }
  changed(update) {
    this.read = false;
    this.wait();
    if (!this.component.emitting) return; // it came from the server
    let size = 0, whole = true;
    update.changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
      size += inserted.length;
      whole &&= inserted.toString().search(LONE) < 0;
    });
    if (size <= PIECE && whole) return;
    this.component.emitting = false; // only for this change: in its place the whole text is sent
    queueMicrotask(() => {
      this.component.emitting = true;
      this.send();
    });
  }
  /** The server has read a text of this length. */
  heard(length) {
    this.read = this.view.state.doc.length === length;
    if (!this.read) this.wait();
  }
  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => !this.read && this.send(), PATIENCE);
  }
  /** Send the whole text as changes: the first piece in place of all that is there, the others behind it. */
  send() {
    this.mend();
    const text = this.view.state.doc.toString();
    let at = 0;
    do {
      let end = Math.min(at + PIECE, text.length);
      if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1])) end += 1; // not through a character
      const lines = text.slice(at, end).split("\n");
      const before = at ? [at, -1] : [];
      const replaced = at ? 0 : text.length;
      this.component.$emit("update:value", { sections: [...before, replaced, end - at], inserted: at ? [[], lines] : [lines] });
      at = end;
    } while (at < text.length);
  }
  /** Replace half characters in the editor too. */
  mend() {
    const changes = [...this.view.state.doc.toString().matchAll(LONE)].map(({ index }) => ({ from: index, to: index + 1, insert: "\uFFFD" }));
    if (!changes.length) return;
    this.component.emitting = false;
    this.view.dispatch({ changes });
    this.component.emitting = true;
  }
  stop() {
    clearTimeout(this.timer);
  }
}
