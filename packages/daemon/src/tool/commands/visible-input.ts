import { escapeInvisible } from "@baton/core/text/sanitize";
import { keyBytes } from "./terminal-keys.ts";

/** The input of a call, for the user who approves it: keys by their names, and control characters visible, such as `ls -la [enter]`. */
export function visibleInput({ text = "", keys = [] }: { text?: string | undefined; keys?: readonly string[] | undefined }): string {
  const shownText = text
    .replaceAll(LOOKS_LIKE_KEY, "\\[")
    .replaceAll(/\r?\n|\r/g, "[enter]\n")
    .replaceAll(CONTROL, controlName);
  const shownKeys = keys.map((key) => (keyBytes(key) === undefined ? `[unknown key ${key}]` : `[${key.toLowerCase()}]`));
  return escapeInvisible(
    [shownText, ...shownKeys]
      .filter((part) => part !== "")
      .join(" ")
      .replaceAll("\t", "[tab]"),
  );
}

/** Text that looks like the name of a key, such as `[enter]`, is shown as `\[enter]`. */
const LOOKS_LIKE_KEY = /\[(?=[\w-]{2,20}\])/g;

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

const controlName = (character: string): string =>
  character === "\u001b"
    ? "[escape]"
    : character === "\u007f"
      ? "[backspace]"
      : `[ctrl-${String.fromCharCode(character.charCodeAt(0) + 64).toLowerCase()}]`;
