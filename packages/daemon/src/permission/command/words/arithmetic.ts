import type { ArithmeticExpression, Script } from "../shell/parse.ts";

/** `isNumber`: true if a variable holds a number. `inner`: returns what the commands of a substitution print, if that is known. */
type Numbers = { isNumber: (name: string) => unknown; inner: (script: Script | undefined) => { text: string } | undefined };

/**
 * True if an expression computes only with numbers. The shell evaluates the text of a variable as an expression of its own, and
 * that expression can contain commands. So each variable has to hold a number. Source: "ARITHMETIC EVALUATION" in bash(1).
 */
export function computesNumbers(node: ArithmeticExpression | undefined, reading: Numbers): boolean {
  switch (node?.type) {
    case undefined:
    case "ArithmeticTernary":
      return false;
    case "ArithmeticBinary":
      return computesNumbers(node.left, reading) && computesNumbers(node.right, reading);
    case "ArithmeticUnary":
      return computesNumbers(node.operand, reading);
    case "ArithmeticGroup":
      return computesNumbers(node.expression, reading);
    case "ArithmeticCommandExpansion": {
      const value = reading.inner(node.script);
      return value !== undefined && /^-?\d+$/.test(value.text);
    }
    case "ArithmeticWord":
      return isNumericTerm(node.value, reading);
  }
}

/** True for a number such as `5`, for a `name` or `$name` or `${name}` that holds a number, and for `${#name}`. */
export function isNumericTerm(text: string, { isNumber }: Pick<Numbers, "isNumber">): boolean {
  if (/^ ?-?(0|[1-9]\d*)$|^ ?0x[\da-f]+$|^\$\{#\w+(\[[@*]\])?\}$|^\$[?#$!]$/.test(text)) return true;
  const [, name] = /^\$?(?:\{(?=\w+\}))?([A-Za-z_]\w*)\}?$/.exec(text) ?? [];
  return name !== undefined && Boolean(isNumber(name));
}

const ASSIGNING = /^(=|[-+*/%&|^]=|<<=|>>=)$/;

/** Returns the name of the variable to which this node of an expression assigns a value. */
export function assignedBy(node: ArithmeticExpression): string | undefined {
  const target =
    node.type === "ArithmeticBinary" && ASSIGNING.test(node.operator)
      ? node.left
      : node.type === "ArithmeticUnary" && /^(\+\+|--)$/.test(node.operator)
        ? node.operand
        : undefined;
  return target?.type === "ArithmeticWord" ? target.value : undefined;
}
