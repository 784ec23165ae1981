// Names of files that were open lately, the latest first.
const STORE = "chainlist-recent", MOST = 20;

export function recentFiles() {
  return JSON.parse(localStorage.getItem(STORE) ?? "[]");
}

export function noteFile(name) {
  localStorage.setItem(STORE, JSON.stringify([name, ...recentFiles().filter((other) => other !== name)].slice(0, MOST)));
}
