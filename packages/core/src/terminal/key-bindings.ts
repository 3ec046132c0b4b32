import { keyActionNames, keyActions, requiredActions, type KeyAction } from "./key-actions.ts";
import { keyLabel, keyName, parseKeyName, type Keystroke } from "./key-name.ts";

/** The keys of actions as a user writes them. An empty list leaves an action without a key. */
export type KeySettings = { readonly [Action in KeyAction]?: string | readonly string[] | undefined };

/** The keys that are in effect. */
export type KeyBindings = {
  /** The action of a key. */
  actionOf: (key: Keystroke) => KeyAction | undefined;
  /** The names of an action's keys. */
  keysOf: (action: KeyAction) => readonly string[];
  /** The first key of an action as texts show it. Undefined if it has none. */
  label: (action: KeyAction) => string | undefined;
};

export function keyBindings(settings: KeySettings = {}): KeyBindings {
  const keys = effectiveKeys(settings);
  const actions = new Map(keyActionNames.flatMap((action) => keys[action].map((key) => [key, action] as const)));
  return {
    actionOf: (key) => actions.get(keyName(key)),
    keysOf: (action) => keys[action],
    label: (action) => keys[action].map(keyLabel)[0],
  };
}

export const defaultBindings = keyBindings();

/** A problem of the settings: the action, the index of the key in its list, and what is wrong. */
export type KeyProblem = { path: (string | number)[]; message: string };

/** The first problem of every action: a key that does not exist, a key that two actions have, a required action without a key. */
export function findKeyProblems(settings: KeySettings): KeyProblem[] {
  const keys = effectiveKeys(settings);
  const owners = Map.groupBy(
    keyActionNames.flatMap((action) => keys[action].map((key) => ({ key, action }))),
    ({ key }) => key,
  );
  return keyActionNames.flatMap((action): KeyProblem[] => {
    const written = settings[action];
    if (written === undefined) return [];
    const list = typeof written === "string" ? [written] : written;
    if (list.length === 0 && requiredActions.has(action)) return [{ path: [action], message: `${action} needs a key.` }];
    const path = (index: number) => (typeof written === "string" ? [action] : [action, index]);
    for (const [index, key] of list.entries()) {
      const name = parseKeyName(key);
      if (name === undefined) return [{ path: path(index), message: invalidKey(key) }];
      const other = owners.get(name)?.find((owner) => owner.action !== action)?.action;
      if (other !== undefined) return [{ path: path(index), message: boundTwice(name, other, settings[other] === undefined) }];
    }
    return [];
  });
}

const invalidKey = (key: string): string =>
  `${JSON.stringify(key)} is not a key for an action. Write Ctrl or Alt with a key, such as "ctrl+g", or a key that types nothing, such as "f5".`;

const boundTwice = (key: string, other: KeyAction, isDefault: boolean): string =>
  `${keyLabel(key)} is ${isDefault ? "by default " : ""}the key of ${other}, too. Give ${other} another key, or none with [].`;

function effectiveKeys(settings: KeySettings): Record<KeyAction, string[]> {
  const keysOf = (action: KeyAction): string[] => {
    const written = settings[action] ?? keyActions[action].keys;
    const list = typeof written === "string" ? [written] : written;
    return [...new Set(list.map(parseKeyName).filter((name) => name !== undefined))];
  };
  return Object.fromEntries(keyActionNames.map((action) => [action, keysOf(action)])) as Record<KeyAction, string[]>; // every action has an entry
}
