import type { Word } from "../shell/word.ts";

/** Subcommands of Baton's own client that only show something. */
const SHOWING = new Set("help sessions show inbox usage doctor models tools export".split(" "));
/** Others of which some parts only show. */
const PARTS: Readonly<Record<string, RegExp>> = {
  modes: /^(list|show|validate|export)$/,
  permissions: /^(list|check|grants)$/,
  mcp: /^(list|logs)$/,
  toolsets: /^(list|tools)$/,
  daemon: /^(status|logs)$/,
  auth: /^list$/,
  config: /^schema$/,
  db: /^check$/,
};

/**
 * Whether these words of `baton` do more than show: answer what a person is asked, trust a folder, change modes, rules or
 * servers. An agent that could would give itself leave, so no rule covers it but one that names the command as it is.
 */
export function actsForPerson(words: readonly Word[]): boolean {
  if (words.some(({ kind }) => kind === "open")) return true;
  const said = words.map(({ text }) => text);
  const [name = "", part] = said;
  if (said.length === 1 && /^(--version|-V|--help|-h)$/.test(name)) return false;
  if (asksHelp(said)) return false;
  if (name.startsWith("-") || name === "") return true; // what an option takes for its value nobody knows here; alone it opens the terminal
  if (SHOWING.has(name)) return false;
  const parts = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  return !parts || !(part === undefined ? name !== "daemon" : parts.test(part));
}

/** `baton answer --help`: right behind the subcommand, so that it is no option's value. */
const asksHelp = (said: readonly string[]): boolean =>
  said.length <= 3 && said.at(-1) === "--help" && said.slice(0, -1).every((word) => /^[a-z]+$/.test(word));

/** The words of a call of Baton's own client, under its name, by way of a package manager, or as a script; undefined for any other call. */
export function ownCall(name: string, words: readonly Word[]): readonly Word[] | undefined {
  if (name === "baton") return words;
  if (/^(yarn|pnpm|npm|bun)$/.test(name)) {
    const at = words.findIndex(({ text }) => text === "baton");
    return at < 0 || words.slice(0, at).some(({ text }) => !/^(-|run$|run-script$|exec$|x$|dlx$)/.test(text))
      ? undefined
      : words.slice(at + 1);
  }
  if (!/^(node|bun|deno|tsx)$/.test(name)) return undefined;
  const at = words.findIndex(({ text }) => OWN_SCRIPT.test(text));
  return at < 0 ? undefined : words.slice(at + 1);
}

const OWN_SCRIPT = /(^|\/)(baton|(baton|cli)\/dist\/main\.js)$/;
