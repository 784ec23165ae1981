// What the editor asks the language service on the server: each question has a number, and waits for its answer.
const PATIENCE = 3000; // ms

export class Questions {
  /** `send(question)` brings a question to the server. */
  constructor(send) {
    this.send = send;
    this.last = 0;
    this.open = new Map();
  }
  /** The answer; null where there is none, or none in time. `length` is that of the text that the question is about. */
  ask(what, at, length) {
    const number = ++this.last;
    return new Promise((resolve) => {
      this.open.set(number, resolve);
      setTimeout(() => this.answer(number, {}), PATIENCE);
      this.send({ number, what, at, length });
    });
  }
  answer(number, answer) {
    this.open.get(number)?.(Object.keys(answer).length ? answer : null);
    this.open.delete(number);
  }
}
