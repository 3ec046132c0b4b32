import type { EditReading } from "./reading-types.ts";

/** Reads a call without the empty lines before and after its texts, if both texts have the same ones or the new text has none. */
export const readWithoutBlankLinesAround: EditReading = (edit) => {
  const old = around(edit.old);
  const now = around(edit.now);
  if (old.text === "" || old.before + old.after === "") return undefined;
  const isSame = now.before === old.before && now.after === old.after;
  return isSame || now.before + now.after === ""
    ? { edit: { ...edit, old: old.text, now: now.text }, ignored: "empty lines around the text" }
    : undefined;
};

/** `before` and `after`: empty lines with their line ends. The last line keeps no line end. */
function around(text: string): { before: string; text: string; after: string } {
  const before = /^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? "";
  const rest = text.slice(before.length);
  const after = /(?:\r?\n[ \t]*)*$/.exec(rest)?.[0] ?? "";
  return { before, text: rest.slice(0, rest.length - after.length), after };
}
