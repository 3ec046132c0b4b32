import { closestMatch } from "./closest-match.ts";

/** The prefix of prompts of MCP servers. It keeps a server from imitating a command of the user. */
export const SERVER_PROMPT_PREFIX = "mcp:";

/** Splits `/name arguments`. Undefined for a path such as `/etc/hosts` and for text that begins with a space. */
export function parseSlash(prompt: string): { name: string; args: string } | undefined {
  const [, name, args = ""] = /^\/([\w:.-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  return name === undefined ? undefined : { name, args: args.trim() };
}

/** Trims a prompt. If a leading space keeps a `/` from being a command, one space remains. */
export function normalizePrompt(typed: string): string {
  const trimmed = typed.trim();
  return trimmed.startsWith("/") && !typed.startsWith("/") ? ` ${trimmed}` : trimmed;
}

/**
 * The message for a prompt that begins with an unknown command. `names`: the known commands, without the slash. Undefined if the prompt
 * can be sent. The daemon checks the prompts of MCP servers.
 */
export function unknownSlash(prompt: string, names: readonly string[]): string | undefined {
  const slash = parseSlash(prompt);
  if (!slash || slash.name.startsWith(SERVER_PROMPT_PREFIX) || names.includes(slash.name)) return undefined;
  return `There is no command /${slash.name}. ${commandHint(slash.name, names)} Put a space before it to send it as text.`;
}

function commandHint(name: string, names: readonly string[]): string {
  const meant = name === "" ? undefined : closestMatch(name, names);
  if (meant !== undefined) return `Did you mean /${meant}?`;
  return names.length === 0 ? "There are no commands here." : `The commands are: ${names.map((each) => `/${each}`).join(" ")}.`;
}

/** Splits a typed line into words. Quotes keep words together. */
export const splitArguments = (typed: string): string[] =>
  Array.from(typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, double, single, bare]) => double ?? single ?? bare ?? "");

/** Replaces `{{name}}` by that variable: a string unchanged, any other value as JSON. Unknown names remain. */
export const expandVariables = (text: string, variables: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) return whole;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
