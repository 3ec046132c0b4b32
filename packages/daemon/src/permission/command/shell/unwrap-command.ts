import { harmlessSetting, ownVariable } from "../words/harmless-variables.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";

/** The result for a program that runs another program unchanged. The gate judges the inner command instead. */
export type Unwrapped = { words: readonly Word[] } | { doubt: string };

/** Wrappers with their own words: flags that are known, and the time of `timeout`. A blank ends each word. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  timeout: /^((-v|--verbose|--preserve-status|--foreground|(-s|-k|--signal|--kill-after)[ =]\S+) )*(-- )?\d+(\.\d+)?[smhd]? /,
  nice: /^((-\d+|(-n|--adjustment)[ =]\S+) )*(-- )?/,
  time: /^(-[pv] )*(-- )?/,
  arch: /^(-(x86_64|arm64e?|i386|32|64) )*(-- )?/,
  command: /^(-p )*(-- )?/,
  stdbuf: /^((-[ioe]|--(input|output|error)=)[0L] )*(-- )?/,
  ...Object.fromEntries(["nohup", "builtin", "exec", "shx", "corepack", "coreutils"].map((name) => [name, /^(-- )?/])),
};

/** Returns the words that a wrapper runs, and undefined if the program is not a wrapper. */
export function unwrap(name: string, words: readonly Word[]): Unwrapped | undefined {
  if (name === "command" && words[0]?.kind === "literal" && /^-[vV]$/.test(words[0].text)) return undefined;
  if (/^(env|arch|corepack)$|^corepack (?!p?np[mx]$|yarn$)/.test(textOfAll([literal(name), ...words.slice(0, 1)]))) return undefined;
  if (name === "env" || name === "cross-env") return unwrapEnv(words);
  if (name === "env-cmd" || name === "dotenv") return { doubt: "it sets variables from a file" };
  const own = Object.hasOwn(OWN_WORDS, name) ? OWN_WORDS[name] : undefined;
  return own && withoutOwn(words, own);
}

function withoutOwn(words: readonly Word[], own: RegExp): Unwrapped {
  const texts = words.map(({ kind, text }) => (kind === "literal" && !/\s/.test(text) ? `${text} ` : " "));
  const [found] = own.exec(texts.join("")) ?? [];
  if (found === undefined) return { doubt: "its own arguments are not known" };
  const inner = words.slice(found.split(" ").length - 1);
  if (inner[0]?.kind === "literal" && inner[0].text.startsWith("-")) return { doubt: `${inner[0].text} is no flag that is known here` };
  return inner.length > 0 ? { words: inner } : { doubt: "it names no program to run" };
}

function unwrapEnv(words: readonly Word[]): Unwrapped {
  const [first, name] = words;
  if (first?.kind === "literal" && first.text === "-u" && name?.kind === "literal" && ownVariable(name.text))
    return unwrapEnv(words.slice(2));
  const rest = first?.kind === "literal" && first.text === "--" ? words.slice(1) : words;
  const at = rest.findIndex((word) => word.kind !== "literal" || !/^[A-Za-z_]\w*=/.test(word.text));
  const assigned = at < 0 ? rest : rest.slice(0, at);
  const odd = assigned.find(({ kind, text }) => {
    const at = text.indexOf("=");
    return !harmlessSetting(text.slice(0, at), kind === "literal" ? text.slice(at + 1) : undefined);
  });
  if (odd) return { doubt: `sets the variable ${odd.text.split("=")[0]}` };
  const program = rest[at];
  if (at < 0 || !program) return { words: [literal("printenv")] };
  if (program.text.startsWith("-")) return { doubt: `${program.text} is no flag that is known here` };
  return { words: rest.slice(at) };
}
