import { hasCatastrophicBacktracking } from "@baton/core/permission/regex-safety";
import { compileRegex } from "@baton/core/permission/regex";
import type { ReadContext } from "../read-context.ts";

/** Letters that only an escape of double-quoted YAML makes: `"\b"` is a backspace there, `"\f"` a form feed. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

/** Holds an expression against what can be matched in linear time; undefined when it is none. */
export function readExpression({ at, text }: { at: number; text: string }, reading: ReadContext): string | undefined {
  if (ESCAPED.test(text)) {
    reading.error(
      at,
      "bad_escape",
      `${JSON.stringify(text)} holds a control character: in double quotes YAML made it of an escape.`,
      "Use single quotes, in which a backslash stands for itself.",
    );
    return undefined;
  }
  const compiled = compileRegex(text);
  if (typeof compiled !== "function") {
    reading.error(at, "bad_regex", `'${text}' is no regular expression: ${compiled.fault}.`, compiled.fix);
    return undefined;
  }
  if (hasCatastrophicBacktracking(text))
    reading.warn(
      at,
      "unsafe_regex",
      `'${text}' repeats what itself repeats. Here it is matched in linear time; another program that reads this file may hang on it.`,
      "Leave out the inner or the outer repetition.",
    );
  return text;
}
