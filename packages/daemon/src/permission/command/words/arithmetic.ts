import { nodesIn, type ArithmeticExpression, type Script } from "../shell/parse.ts";

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
  if (/^ ?-?(0|[1-9]\d*)$|^ ?0x[\da-fA-F]+$|^ ?(16#[\da-fA-F]+|10#\d+|8#[0-7]+|2#[01]+)$|^\$\{#\w+(\[[@*]\])?\}$|^\$[?#$!]$/.test(text))
    return true;
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

export const DROPS_LINE = "computes what may fail, and the shell then leaves out the rest of the line";

/** True if an expansion may fail, such as a division by zero, and bash would then go on with another line of the text. */
export const mayDropLine = (script: Script, text: string): boolean =>
  /\n\s*\S/.test(text) &&
  nodesIn(script).some((node) =>
    node.type === "ArithmeticExpansion"
      ? FAILING_OPERATION.test(node.text) ||
        (MAY_BE_EMPTY.test(node.text) && (CHANGES_SHELL.test(text) || ASSIGNS.test(text.slice(node.end))))
      : node.type === "ParameterExpansion" && !CERTAIN_EXPANSION.test(node.text),
  );

/** A division, a power, another base, and an assignment, which may be to a number. */
const FAILING_OPERATION = /[/%]|\*\*|(?<!\{)#|\+\+|--|(?<![=!<>])=(?!=)/;
/** A variable or a command behind `$`. Without a value it leaves an operator without an operand. */
const MAY_BE_EMPTY = /(?<!^)\$(\w|\{\w|!|\()/;
/** Commands and assignments whose effect the next lines would miss. */
const ASSIGNS = /[;&|\n]\s*\w+\+?=/;
const CHANGES_SHELL = /(?<![\w-])(cd|pushd|popd|exit|return|exec|set|shopt|trap|unset|unalias|alias|export|umask)(?![\w-])/;
/** Expansions that cannot fail: without an operator or with one for texts, and parts whose place and length are numbers that are not negative. */
const CERTAIN_EXPANSION =
  /^\$\{(#?(\w+|[@*#?$!-])(\[(0|[1-9]\d*|[@*]|[a-z]\w*)\])?\}$|\w+(:?[-+?]|[#%/^,]|:(0|[1-9]\d*)(:(0|[1-9]\d*))?\}$))/;
