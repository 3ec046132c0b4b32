import { StringDecoder } from "node:string_decoder";

/** A key or a paste. `text` is what it types. */
export type Key = { name: string; ctrl?: boolean; alt?: boolean; shift?: boolean; text?: string };

/** Decodes the terminal's input into keys. A lone Esc is recognized only after a pause; `flush` ends the pause. */
type KeyReader = { read: (data: Buffer | string) => Key[]; pending: () => boolean; flush: () => Key[] };

const ESC = "\u001b";
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

export function keyReader(): KeyReader {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const drain = (final: boolean): Key[] => {
    const keys: Key[] = [];
    while (rest !== "") {
      const taken = takeKey(rest, final);
      if (!taken) break;
      rest = rest.slice(taken.length);
      if (taken.key) keys.push(taken.key);
    }
    return keys;
  };
  return {
    read: (data) => {
      rest += typeof data === "string" ? data : decoder.write(data);
      return drain(false);
    },
    pending: () => rest !== "" && !rest.startsWith(PASTE_START),
    flush: () => drain(true),
  };
}

type DecodedKey = { length: number; key?: Key };

/** The first key in a text. Undefined if it is incomplete. */
function takeKey(text: string, final: boolean): DecodedKey | undefined {
  if (text.startsWith(PASTE_START)) {
    const end = text.indexOf(PASTE_END);
    return end < 0
      ? undefined
      : {
          length: end + PASTE_END.length,
          key: { name: "paste", text: text.slice(PASTE_START.length, end).replaceAll("\r\n", "\n").replaceAll("\r", "\n") },
        };
  }
  if (!text.startsWith(ESC)) return plainKey(text);
  if (text === ESC) return final ? { length: 1, key: { name: "escape" } } : undefined;
  const next = text.charAt(1);
  if (next === "[") return controlSequence(text, final);
  if (next === "O") return text.length > 2 ? { length: 3, ...namedKey(SS3[text.charAt(2)]) } : final ? { length: 2 } : undefined;
  if (next === ESC) return { length: 1, key: { name: "escape" } };
  const inner = plainKey(text.slice(1));
  if (!inner.key) return { length: inner.length + 1 };
  const { text: _, ...key } = inner.key;
  return { length: inner.length + 1, key: { ...key, alt: true } };
}

const SS3: Record<string, string> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  M: "enter",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};
/** Without F3, whose final letter also ends a report of the cursor position. */
const FINALS: Record<string, string> = { A: "up", B: "down", C: "right", D: "left", H: "home", F: "end", P: "f1", Q: "f2", S: "f4" };
const NUMBERS: Record<string, string> = {
  "1": "home",
  "2": "insert",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
  ...Object.fromEntries([11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].map((code, i) => [String(code), `f${i + 1}`])),
};

function controlSequence(text: string, final: boolean): DecodedKey | undefined {
  let end = 2;
  while (end < text.length && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) < 0x40) end++;
  if (end >= text.length) return final ? { length: text.length } : undefined;
  const [body, kind] = [text.slice(2, end), text.charAt(end)];
  const length = end + 1;
  const fields = body.split(";");
  if (body === "" && (kind === "I" || kind === "O")) return { length, key: { name: kind === "I" ? "focus" : "blur" } };
  if (kind === "Z") return { length, key: { name: "tab", shift: true } };
  if (kind === "u") return { length, ...fromCode(Number(fields[0]?.split(":")[0]), fields[1]) };
  if (kind === "~" && fields[0] === "27") return { length, ...fromCode(Number(fields[2]), fields[1]) };
  if (kind === "~") return { length, ...namedKey(NUMBERS[fields[0] ?? ""], fields[1]) };
  return { length, ...namedKey(FINALS[kind], fields[1]) };
}

const namedKey = (name: string | undefined, modifiers?: string): { key?: Key } =>
  name === undefined ? {} : { key: { name, ...parseModifiers(modifiers) } };

/** Modifiers as terminals encode them: 1 plus the sum of 1 shift, 2 alt, 4 ctrl. The event type follows a colon. */
function parseModifiers(field: string | undefined): Pick<Key, "ctrl" | "alt" | "shift"> {
  const bits = Math.max(0, (Number(field?.split(":")[0]) || 1) - 1);
  return { ...(bits & 1 ? { shift: true } : {}), ...(bits & 2 ? { alt: true } : {}), ...(bits & 4 ? { ctrl: true } : {}) };
}

function fromCode(code: number, modifiers: string | undefined): { key?: Key } {
  const held = parseModifiers(modifiers);
  if (code === 13 || code === 57414) return { key: { name: "enter", ...held } };
  if (code === 27) return { key: { name: "escape", ...held } };
  if (code === 9) return { key: { name: "tab", ...held } };
  if (code === 127 || code === 8) return { key: { name: "backspace", ...held } };
  if (!(code >= 32 && code <= 0x10ffff)) return {};
  const character = String.fromCodePoint(code);
  if (held.ctrl || held.alt) return { key: { name: character.toLowerCase(), ...held } };
  return { key: { name: character, text: held.shift ? character.toUpperCase() : character } };
}

const CONTROLS: Record<number, Key> = {
  8: { name: "backspace" },
  9: { name: "tab" },
  10: { name: "enter", ctrl: true }, // Ctrl+J, which works in every terminal
  13: { name: "enter" },
  127: { name: "backspace" },
};

function plainKey(text: string): DecodedKey & { length: number } {
  const code = text.codePointAt(0) ?? 0;
  const control = CONTROLS[code];
  if (control) return { length: 1, key: control };
  if (code < 32) return { length: 1, key: { name: String.fromCharCode(code + 96), ctrl: true } };
  const character = String.fromCodePoint(code);
  return { length: character.length, key: { name: character, text: character } };
}
