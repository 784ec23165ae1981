// Texts that were not saved, kept in the browser until they are. A tab that was closed, or a browser that died, leaves
// its text here, and the next tab offers it.
const STORE = "chainlist-drafts", TAB = "chainlist-tab";
const BEAT = 4000; // ms between two signs of life of a tab
const DEAD = 3 * BEAT;
const MOST = 5; // drafts of closed tabs that are kept

export class Drafts {
  constructor() {
    const known = sessionStorage.getItem(TAB), all = read();
    const copied = known && all[known] && !all[known].closed && Date.now() - all[known].seen < BEAT; // a duplicated tab
    this.tab = known && !copied ? known : crypto.getRandomValues(new Uint32Array(2)).join("-");
    sessionStorage.setItem(TAB, this.tab);
    this.mine = all[this.tab] ?? null;
    this.beat = setInterval(() => this.mine && this.write({ seen: Date.now() }), BEAT);
    this.leave = () => this.mine && this.write({ closed: true });
    this.back = () => this.mine && this.write({ closed: false, seen: Date.now() });
    addEventListener("pagehide", this.leave);
    addEventListener("pageshow", this.back);
    this.back();
  }

  /** The text is not saved; `about` has its file and stamp. Written a moment later, with all keys of a burst. */
  keep(text, about) {
    this.mine = { text, file: about.file ?? "", stamp: about.stamp ?? "", when: Date.now() };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write({ closed: false, seen: Date.now() }), 300);
  }

  /** The text is saved, or is one that was only opened. */
  drop() {
    clearTimeout(this.timer);
    this.mine = null;
    const all = read();
    delete all[this.tab];
    write(all);
  }

  write(facts) {
    Object.assign(this.mine, facts);
    write({ ...read(), [this.tab]: this.mine });
  }

  /** What tabs have left that are there no more, the latest first. */
  left() {
    const of = Object.entries(read()).filter(([tab, draft]) => tab !== this.tab && (draft.closed || Date.now() - draft.seen > DEAD));
    return of.map(([tab, draft]) => ({ ...draft, tab })).sort((a, b) => b.when - a.when);
  }

  forget(tab) {
    const all = read();
    delete all[tab];
    write(all);
  }

  stop() {
    clearInterval(this.beat);
    clearTimeout(this.timer);
    removeEventListener("pagehide", this.leave);
    removeEventListener("pageshow", this.back);
  }
}

/** A line above the editor that offers what a closed tab has left. */
export function offer(host, drafts, take) {
  const [draft] = drafts.left();
  if (!draft) return;
  const line = document.createElement("div"), words = document.createElement("span");
  line.className = "bench-draft";
  line.setAttribute("role", "status");
  const title = draft.file || draft.text.split("\n", 1)[0].replace(/^[*\s]+/, "").slice(0, 50) || "Untitled";
  words.textContent = `Not saved, from a tab that was closed: ${title}`;
  const choice = (text, action) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => {
      line.remove();
      action?.();
      drafts.forget(draft.tab);
      offer(host, drafts, take);
    });
    return button;
  };
  const choices = document.createElement("div"); // as one: on a narrow screen both stand below the words
  choices.append(choice("Bring it back", () => take(draft)), choice("Forget it"));
  line.append(words, choices);
  host.prepend(line);
}

function read() {
  return JSON.parse(localStorage.getItem(STORE) ?? "{}");
}

function write(all) {
  const old = Object.entries(all).filter(([, draft]) => draft.closed).sort((a, b) => b[1].when - a[1].when).slice(MOST);
  for (const [tab] of old) delete all[tab];
  try {
    localStorage.setItem(STORE, JSON.stringify(all));
  } catch (error) {
    console.warn("this browser keeps no text that was not saved", error);
  }
}
