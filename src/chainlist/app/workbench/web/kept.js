// What this tab keeps over a reload or a lost connection: the text, and what it is. Other tabs have their own.
const TEXT = "chainlist-text", ABOUT = "chainlist-about", OTHERS = "chainlist-others";

/** The text that was here last; null in a new tab. */
export function keptText() {
  return sessionStorage.getItem(TEXT);
}

export function keepText(text) {
  put(TEXT, text);
}

/** About the text: `file`, `stamp` (see files.py), `link` it was opened with, `session` on the server. */
export function keptAbout() {
  return JSON.parse(sessionStorage.getItem(ABOUT) ?? "{}");
}

export function keepAbout(facts) {
  put(ABOUT, JSON.stringify({ ...keptAbout(), ...facts }));
}

/** The other texts that are open here: `others`, and the place `at` of the one that is shown among them. */
export function keptOthers() {
  return JSON.parse(sessionStorage.getItem(OTHERS) ?? "{}");
}

export function keepOthers(facts) {
  put(OTHERS, JSON.stringify(facts));
}

function put(key, value) {
  try {
    sessionStorage.setItem(key, value);
  } catch (error) {
    console.warn("this browser keeps no text over a reload", error);
  }
}
