import { closestMatch } from "./closest-match.ts";

/** What begins the name of each prompt of an MCP server, so that none can pass for a command of the person's own. */
export const SERVER_PROMPTS = "mcp:";

/** `/name and more` in its parts. A path such as `/etc/hosts` is text, and so is all that begins with a space. */
export function parseSlash(prompt: string): { name: string; args: string } | undefined {
  const [, name, args = ""] = /^\/([\w:.-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  return name === undefined ? undefined : { name, args: args.trim() };
}

/** What was typed, without the blanks around it; but where one keeps a `/` from being a command, one space stays. */
export function expandSlash(typed: string): string {
  const said = typed.trim();
  return said.startsWith("/") && !typed.startsWith("/") ? ` ${said}` : said;
}

/**
 * What to tell a person whose prompt begins with the name of no command; `names` are those there are, without the slash.
 * Undefined when the prompt may be sent. What servers have for prompts is for the daemon to say.
 */
export function unknownSlash(prompt: string, names: readonly string[]): string | undefined {
  const slash = parseSlash(prompt);
  if (!slash || slash.name.startsWith(SERVER_PROMPTS) || names.includes(slash.name)) return undefined;
  return `There is no command /${slash.name}. ${meantBy(slash.name, names)} Put a space before it to send it as text.`;
}

function meantBy(name: string, names: readonly string[]): string {
  const meant = name === "" ? undefined : closestMatch(name, names);
  if (meant !== undefined) return `Did you mean /${meant}?`;
  return names.length === 0 ? "There are none here." : `The commands are: ${names.map((each) => `/${each}`).join(" ")}.`;
}

/** The words of a typed line, or what stands in quotes. */
export const splitArguments = (typed: string): string[] =>
  Array.from(typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, double, single, bare]) => double ?? single ?? bare ?? "");

/** `{{name}}` becomes the variable of that name: a text as it is, everything else as JSON. What is no variable stays as it is. */
export const expandVariables = (text: string, variables: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined ? whole : typeof value === "string" ? value : JSON.stringify(value);
  });
