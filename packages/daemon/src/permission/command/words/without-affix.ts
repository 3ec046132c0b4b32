import type { ParameterOperation } from "../shell/parse.ts";

/** The value of a variable. It is certain if it is `literal` and was not written in another way. */
type Value = { kind: string; text: string; written?: string | undefined };

type Removal = Extract<ParameterOperation, { type: "Remove" }>;

/** A pattern of plain characters with at most one `*`. */
const PLAIN = /^[\w./-]*\*?[\w./-]*$/;

/**
 * Returns the text of `${name%pattern}`, `${name%%pattern}`, `${name#pattern}` or `${name##pattern}`. Undefined if the value of the variable is not
 * certain, or if the pattern is not plain. Source: bash(1), "Remove matching prefix pattern".
 */
export function withoutAffix(value: Value | undefined, { operator, operand }: Removal): string | undefined {
  if (value?.kind !== "literal" || value.written !== undefined || !PLAIN.test(operand.text)) return undefined;
  const { text } = value;
  const pattern = new RegExp(`^${operand.text.replaceAll(".", "\\.").replace("*", ".*")}$`, "s");
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  const isAtStart = operator.startsWith("#");
  const isMatch = (length: number) => pattern.test(isAtStart ? text.slice(0, length) : text.slice(text.length - length));
  const length = (operator.length === 1 ? lengths.find(isMatch) : lengths.findLast(isMatch)) ?? 0;
  return isAtStart ? text.slice(length) : text.slice(0, text.length - length);
}
