import { compileRegex } from "@baton/core/text/regex";
import type { ReadContext } from "../mode-read-context.ts";

/** Control characters, which only an escape in double-quoted YAML produces: `"\b"` is a backspace there, `"\f"` a form feed. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

/** Reads an expression that RE2 can match in linear time. Reports an invalid one and returns undefined. */
export function readExpression({ at, text }: { at: number; text: string }, reading: ReadContext): string | undefined {
  if (ESCAPED.test(text)) {
    reading.error(
      at,
      "bad_escape",
      `${JSON.stringify(text)} contains a control character. In double quotes, YAML reads a backslash as an escape.`,
      "Use single quotes, in which a backslash is literal.",
    );
    return undefined;
  }
  const compiled = compileRegex(text);
  if (typeof compiled !== "function") {
    reading.error(at, "bad_regex", `'${text}' is not a regular expression: ${compiled.fault}.`, compiled.fix);
    return undefined;
  }
  return text;
}
