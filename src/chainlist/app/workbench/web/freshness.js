// Whether what is shown belongs to the text as it stands. A motion that follows the text within a moment, as while a
// number is dragged, counts as present; one that stays behind is told to be old.
const PATIENCE = 350; // ms

export class Freshness {
  /** `shown()` is the text of what is shown, null where nothing is; `tell(old)` hears of every change. */
  constructor(shown, tell) {
    this.shown = shown;
    this.tell = tell;
    this.text = null; // as it stands in the editor
    this.old = false;
  }

  get differs() {
    const shown = this.shown();
    return shown !== null && this.text !== null && shown !== this.text;
  }

  /** The text has changed. */
  read(text) {
    this.text = text;
    this.look();
  }

  /** Something else is shown now; it gets its moment. */
  renew() {
    clearTimeout(this.timer);
    this.timer = null;
    this.look();
  }

  look() {
    if (!this.differs) {
      clearTimeout(this.timer);
      this.timer = null;
      return this.set(false);
    }
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.set(this.differs);
    }, PATIENCE);
  }

  set(old) {
    if (old === this.old) return;
    this.old = old;
    this.tell(old);
  }

  stop() { clearTimeout(this.timer); }
}
