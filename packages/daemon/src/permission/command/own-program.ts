import type { Word } from "./word.ts";

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
  if (said.every((text) => /^(--version|-V|--help|-h)$/.test(text))) return said.length === 0; // alone it opens the terminal
  if (said.includes("--help") && !said.includes("--")) return false;
  const [name = "", part] = said.filter((text) => !text.startsWith("-"));
  return !SHOWING.has(name) && !(Object.hasOwn(PARTS, name) && (part === undefined ? name !== "daemon" : PARTS[name]?.test(part)));
}
