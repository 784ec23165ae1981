// Things that the server found in the text, whose places follow every edit until it has read the text again.
import * as CM from "nicegui-codemirror";

/** A field of the editor's state that holds a list: `move(thing, changes)` is the thing after some changes. `set` is the effect of a new list. */
export function following(move) {
  const set = CM.StateEffect.define();
  const field = CM.StateField.define({
    create: () => [],
    update(things, { docChanged, changes, effects }) {
      if (docChanged) things = things.map((thing) => move(thing, changes));
      for (const effect of effects) if (effect.is(set)) things = effect.value;
      return things;
    },
  });
  return { field, set };
}

/** A place [from, to]; what is written at its ends is no part of it. */
export const moveTight = ([from, to], changes) => [changes.mapPos(from, 1), changes.mapPos(to, -1)];

/** The same, and what is written at its ends belongs to it. */
export const moveWide = ([from, to], changes) => [changes.mapPos(from, -1), changes.mapPos(to, 1)];
