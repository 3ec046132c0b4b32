import type { Word } from "../words/word.ts";

/** Calls of Baton's own client that only show information. A flag in front of a subcommand could have it as its value. */
const SHOWING =
  /^((help|sessions|show|inbox|usage|doctor|context|export|(models|background|modes|permissions|mcp|plugins|toolsets|tools|auth|config) list|background output|modes (show|validate|export)|permissions (check|grants)|mcp logs|toolsets tools|daemon (status|logs)|config schema|db check)( .*)?|models|background|modes|permissions|mcp|plugins|toolsets|tools|auth|config|db|--version|-V|-h|([a-z]+ ){0,2}--help)$/s;

/**
 * True if these words of `baton` may do more than show information. They may answer a request for the user, trust a folder,
 * or change modes, rules or servers. An agent that could run such a call could grant itself permissions. Therefore only a
 * rule that names the exact command covers it.
 */
export const actsForPerson = (words: readonly Word[]): boolean =>
  words.some(({ kind }) => kind === "open") || !SHOWING.test(words.map(({ text }) => text).join(" "));

/** Returns the words after `baton`, or after its package or script, in a call of Baton's own client. Undefined for any other call. */
export function ownCall(name: string, words: readonly Word[]): readonly Word[] | undefined {
  if (name === "baton") return words;
  if (name === "corepack") return ownCall(words[0]?.text ?? "", words.slice(1));
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

const OWN_SCRIPT = /(^|\/)(baton|(baton|cli)\/(dist\/main\.js|src\/main\.ts))$/;
