// A gesture of many small changes of the text, such as a drag, as one step of its history: one undo takes it back.
import * as CM from "nicegui-codemirror";

export class OneStep {
  constructor(view) {
    this.view = view;
    this.begin();
  }

  begin() {
    this.before = this.doc = this.view.state.doc;
    this.whole = null;
  }

  /** A part of the gesture. It is seen at once, but the history does not know it yet. */
  change(spec) {
    if (this.view.state.doc !== this.doc) this.begin(); // somebody else has changed the text: what was done stays apart
    const part = this.view.state.update({ ...spec, annotations: CM.Transaction.addToHistory.of(false) });
    this.view.dispatch(part);
    this.whole = this.whole ? this.whole.compose(part.changes) : part.changes;
    this.doc = this.view.state.doc;
  }

  /** The gesture is over: the history gets all of it as one change. Returns whether there was any. */
  done(userEvent) {
    const { view, whole, before } = this, changed = whole !== null && view.state.doc === this.doc && !this.doc.eq(before);
    if (changed) {
      view.dispatch({ changes: whole.invert(before), userEvent, annotations: CM.Transaction.addToHistory.of(false) });
      view.dispatch({ changes: whole, userEvent, annotations: CM.isolateHistory.of("full") });
    }
    this.begin();
    return changed;
  }
}
