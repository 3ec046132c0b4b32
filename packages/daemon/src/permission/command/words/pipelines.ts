import type { CommandNode, Pipeline, Redirection, Script, Word } from "../shell/parse.ts";

/** Returns the commands of a script that is a single pipeline, and nothing for any other script. */
export function pipelineOf({ commands: [only, ...more] }: Script): CommandNode[] {
  if (!only || more.length > 0 || only.background || only.command.type === "AndOr") return [];
  return plainPipeline(only.command.type === "Pipeline" ? only.command : { commands: [only.command], operators: [] });
}

/** Returns the commands of a pipeline, and nothing if more than the output of each command goes into the next. */
export const plainPipeline = ({ commands, operators }: Pick<Pipeline, "commands" | "operators">): CommandNode[] =>
  operators.every((operator) => operator === "|") &&
  commands.every((each, i) => redirectsOf(each).every((one) => isQuiet(one) || (i === 0 && /^<(<|$)/.test(one.operator))))
    ? [...commands]
    : [];

export const redirectsOf = (node: CommandNode): Redirection[] =>
  node.type === "Command"
    ? [...node.prefix, ...node.suffix].flatMap((each) => (each.type === "Word" || each.type === "Assignment" ? [] : [each]))
    : [];

/** True for a redirect of the input. */
export const isInput = ({ descriptor }: Redirection): boolean =>
  descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0);

/** True for `2>/dev/null`. */
const isQuiet = (each: Redirection): boolean =>
  each.type === "Redirect" &&
  each.descriptor?.type === "FileDescriptor" &&
  `${each.descriptor.value}${each.operator}${each.target?.value}` === "2>/dev/null";

/** Returns a simple command as one text. A word with an expansion stays as it is written. Returns an empty text for any other command. */
export function textOf(node: CommandNode | undefined): string {
  if (node?.type !== "Command" || !node.name || node.prefix.length > 0) return "";
  return [node.name, ...node.suffix.filter((each): each is Word => each.type === "Word")]
    .map(({ parts, text, value }) => (parts?.some(({ type }) => !LITERAL.has(type)) ? text.replaceAll('"', "") : value))
    .join(" ");
}

const LITERAL = new Set(["Literal", "SingleQuoted"]);

/** Returns the words of a simple command without variables, and undefined for any other command. */
export function plainWordsOf(node: CommandNode): string[] | undefined {
  if (node.type !== "Command" || !node.name || node.prefix.length > 0) return undefined;
  const words = [node.name, ...node.suffix];
  const plain = words.flatMap((word) =>
    word.type === "Word" && !EXPANDED.test(word.text.replaceAll(/'[^']*'|\{\}/g, "")) ? [word.value] : [],
  );
  return plain.length === words.filter(({ type }) => type !== "Redirect").length ? plain : undefined;
}

/** Syntax that the shell expands: variables, substitutions, braces and `~`. */
const EXPANDED = /[$`<>{}]|(^|[=:])~/;

/** Returns the text of a here-document in which the shell expands nothing. */
export const plainBody = ({ delimiter, body, operator }: Extract<Redirection, { type: "HereDoc" }>): string | undefined =>
  operator !== "<<-" && (delimiter?.quoted === true || (body.parts === undefined && !body.text.includes("\\"))) ? body.text : undefined;
