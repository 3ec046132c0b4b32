import { argumentsOf } from "@baton/core/text/arguments";

/** The text of a slash command with what was typed behind its name: `$ARGUMENTS` is all of it, `$1` to `$9` its words. */
export function expandCommand(text: string, args: string): string {
  const words = argumentsOf(args);
  const takes = /\$(?:ARGUMENTS\b|[1-9])/.test(text);
  const filled = text
    .trim()
    .replaceAll(/\$(ARGUMENTS\b|[1-9])/g, (_, name: string) => (name === "ARGUMENTS" ? args : (words[Number(name) - 1] ?? "")));
  return takes || args === "" ? filled : `${filled}\n\n${args}`;
}
