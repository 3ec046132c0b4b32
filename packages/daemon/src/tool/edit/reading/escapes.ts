import type { EditReading } from "./reading-types.ts";

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "`": "`", "\\": "\\", "/": "/" };

/** Reads a text that was escaped once too often, as in a JSON string in a JSON string. */
export const readUnescaped: EditReading = (edit) => {
  const { old, now } = edit;
  if (!/\\[ntr"'`\\/]/.test(old)) return undefined;
  const ignored = "escapes";
  if (old.includes("\n")) return { edit: { ...edit, old: unescapeQuotes(old), now: unescapeQuotes(now) }, ignored };
  // A line end in the new text may be meant as such, or as an escape of the code. Only an escape of the same kind in the old text tells.
  if (!/\\[ntr]/.test(old) && /(?<!\\)\\[ntr]/.test(now)) return undefined;
  if (now.includes("\n")) return undefined;
  return { edit: { ...edit, old: unescape(old), now: unescape(now) }, ignored };
};

const unescape = (text: string): string => text.replace(/\\([ntr"'`\\/])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
const unescapeQuotes = (text: string): string => text.replace(/\\(["'`])/g, "$1");

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&apos;": "'", "&amp;": "&" };

/** Reads a text in which `<`, `>`, `&` and quotes are HTML entities. */
export const readWithoutEntities: EditReading = (edit) => {
  if (!/&(?:lt|gt|quot|apos|amp|#39);/.test(edit.old)) return undefined;
  return { edit: { ...edit, old: decode(edit.old), now: decode(edit.now) }, ignored: "HTML entities" };
};

const decode = (text: string): string => text.replace(/&(?:lt|gt|quot|apos|amp|#39);/g, (entity) => ENTITIES[entity] ?? entity);
