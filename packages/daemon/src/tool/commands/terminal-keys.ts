const ESC = "\u001b";

/** The keys that have a name, as a terminal sends them. */
const NAMED: Readonly<Record<string, string>> = {
  enter: "\r",
  tab: "\t",
  "shift-tab": `${ESC}[Z`,
  escape: ESC,
  space: " ",
  backspace: "\u007f",
  delete: `${ESC}[3~`,
  insert: `${ESC}[2~`,
  up: `${ESC}[A`,
  down: `${ESC}[B`,
  right: `${ESC}[C`,
  left: `${ESC}[D`,
  home: `${ESC}[H`,
  end: `${ESC}[F`,
  "page-up": `${ESC}[5~`,
  "page-down": `${ESC}[6~`,
};

/** Other names for keys that models use. */
const ALIASES: Readonly<Record<string, string>> = {
  return: "enter",
  esc: "escape",
  del: "delete",
  pageup: "page-up",
  pagedown: "page-down",
  "arrow-up": "up",
  "arrow-down": "down",
  "arrow-left": "left",
  "arrow-right": "right",
};

/** The bytes of a key such as `enter`, `ctrl-c` or `alt-b`. Undefined if there is no such key. */
export function keyBytes(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .replaceAll(/[_+\s]/g, "-")
    .replace(/^(?:c|control)-/, "ctrl-")
    .replace(/^(?:m|meta)-/, "alt-");
  const key = ALIASES[plain] ?? plain;
  if (Object.hasOwn(NAMED, key)) return NAMED[key];
  const control = /^ctrl-([a-z@[\\\]^_])$/.exec(key)?.[1];
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 31);
  const other = /^alt-([!-~])$/.exec(key)?.[1];
  return other === undefined ? undefined : `${ESC}${other}`;
}

/** The bytes that a call types: its text, in which a line end is the Enter key, and then its keys. Or the key that does not exist. */
export function typedBytes({
  text = "",
  keys = [],
}: {
  text?: string | undefined;
  keys?: readonly string[] | undefined;
}): { bytes: string } | { unknownKey: string } {
  const pressed = keys.map((key) => ({ key, bytes: keyBytes(key) }));
  const unknown = pressed.find(({ bytes }) => bytes === undefined);
  if (unknown) return { unknownKey: unknown.key };
  return { bytes: text.replaceAll(/\r?\n/g, "\r") + pressed.map(({ bytes }) => bytes).join("") };
}

export const KEY_NAMES = `${Object.keys(NAMED).join(", ")}, ctrl-a to ctrl-z, alt-a to alt-z`;
