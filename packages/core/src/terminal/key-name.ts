/** A key with its modifiers. A character is its own name. */
export type Keystroke = { name: string; ctrl?: boolean | undefined; alt?: boolean | undefined; shift?: boolean | undefined };

const LABELS: Readonly<Record<string, string>> = {
  enter: "Enter",
  escape: "Esc",
  tab: "Tab",
  backspace: "Backspace",
  delete: "Delete",
  insert: "Insert",
  space: "Space",
  up: "Up",
  down: "Down",
  left: "Left",
  right: "Right",
  home: "Home",
  end: "End",
  pageup: "Page Up",
  pagedown: "Page Down",
};

const ALIASES: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  " ": "space",
  "`": "space",
};

const FUNCTION_KEY = /^f([1-9]|1[0-2])$/;

/** Keys that a terminal cannot tell from another key with Ctrl. */
const SAME_WITH_CTRL: Readonly<Record<string, Keystroke>> = {
  m: { name: "enter" },
  i: { name: "tab" },
  h: { name: "backspace" },
  "[": { name: "escape" },
  j: { name: "enter", ctrl: true },
  "|": { name: "\\", ctrl: true },
  "}": { name: "]", ctrl: true },
  "~": { name: "^", ctrl: true },
  "\u007f": { name: "_", ctrl: true },
};

/** The name of a key in settings, such as `ctrl+g` or `alt+shift+e`. Keys that a terminal cannot tell apart have the same name. */
export function keyName({ name, ctrl = false, alt = false, shift = false }: Keystroke): string {
  const lower = name.toLowerCase();
  const isUpper = name.length === 1 && lower !== name;
  const key = ctrl || name === " " ? (ALIASES[lower] ?? lower) : lower;
  const same = ctrl && !shift ? SAME_WITH_CTRL[key] : undefined;
  if (same) return keyName({ ...same, alt });
  return [...(ctrl ? ["ctrl"] : []), ...(alt ? ["alt"] : []), ...(shift || isUpper ? ["shift"] : []), key].join("+");
}

/** The name of a key that a user wrote. Undefined if it is not a key, or if it types a character. */
export function parseKeyName(written: string): string | undefined {
  const [, held = "", key] = /^(?:(.+)\+)?(\+|[^+]+)$/.exec(written.trim().toLowerCase()) ?? [];
  if (key === undefined) return undefined;
  const modifiers = new Set(held === "" ? [] : held.split("+"));
  const name = ALIASES[key] ?? key;
  const [ctrl, alt, shift] = ["ctrl", "alt", "shift"].map((modifier) => modifiers.delete(modifier));
  if (modifiers.size > 0) return undefined;
  const isNamed = Object.hasOwn(LABELS, name) || FUNCTION_KEY.test(name);
  if (!isNamed && !/^.$/u.test(name)) return undefined;
  if ((!isNamed || name === "space") && !ctrl && !alt) return undefined;
  return keyName({ name, ctrl, alt, shift });
}

/** A key as texts show it, such as `Ctrl+G`. */
export function keyLabel(name: string): string {
  if (name === "ctrl+enter") return "Ctrl+J"; // which every terminal sends for it
  const parts = name.endsWith("++") ? [...name.slice(0, -2).split("+"), "+"] : name.split("+");
  const labels = parts.map((part) => LABELS[part] ?? part.charAt(0).toUpperCase() + part.slice(1));
  return labels.join("+");
}
