import { callOf } from "./commands-in-flags.ts";
import { nodesIn, parseShell } from "../shell/parse.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";

/** Flags of ssh that have a value. Source: ssh(1). */
const VALUED = /^-[A-Za-z]*[BbcDEeFIiJLlmOoPpQRSWw]$/;

/**
 * Returns the call for each command of a text that another machine runs, for example `ssh host ls` and `ssh host rm x` for `ssh host 'ls; rm x'`. Its shell
 * reads the words as one text, so a rule that allows `ssh host ls *` is not about the second command. A single command needs no other call, and a text
 * that the parser does not understand is only allowed by a rule for all commands of the host.
 */
export function remoteCalls(base: string, words: readonly Word[]): Word[][] {
  const at = lastOfTarget(base, words) + 1;
  const text = textOfAll(words.slice(at));
  if (at === 0 || !/[;&|<>()`$\n{}]/.test(text)) return [];
  const target = words.slice(0, at);
  const nodes = (parseShell(text)?.commands ?? []).flatMap(nodesIn);
  const calls = nodes.flatMap((node) => (node.type === "Command" ? [callOf(node)] : []));
  const isPlain = calls.length === 1 && nodes.every(({ type }) => PLAIN.test(type));
  const redirects = nodes.flatMap(({ type, pos, end }) => (type === "Redirect" ? [[literal(text.slice(pos, end))]] : []));
  return isPlain ? [] : [...calls, ...redirects, ...(nodes.length === 0 ? [[literal("?")]] : [])].map((call) => [...target, ...call]);
}

/** The parts of one command without redirects and substitutions. */
const PLAIN = /^(Script|Statement|Command|Word|Literal|SingleQuoted|DoubleQuoted)$/;

/** Returns the position of the host of `ssh`, or of `shell` for `adb shell`. */
function lastOfTarget(base: string, words: readonly Word[]): number {
  if (base === "adb") return words.findIndex(({ text }) => text === "shell");
  return /^(ssh|autossh)$/.test(base)
    ? words.findIndex(({ text }, i) => !text.startsWith("-") && !VALUED.test(words[i - 1]?.text ?? ""))
    : -1;
}
