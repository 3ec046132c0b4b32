import { callOf } from "./commands-in-flags.ts";
import { nodesIn, parseShell } from "../shell/parse.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";

/** Flags of ssh that have a value. Source: ssh(1). */
const VALUED = /^-[A-Za-z]*[BbcDEeFIiJLlmOoPpQRSWw]$/;

/**
 * Returns the call for each command of a text that another machine runs, for example `ssh host ls` and `ssh host rm x` for `ssh host 'ls; rm x'`. Its shell
 * reads the words as one text, so a rule that allows `ssh host ls *` is not about the second command, and a deny of `ssh host rm *` is about `'rm' x`. A
 * text that the parser does not understand is only allowed by a rule for all commands of the host.
 */
export function remoteCalls(base: string, words: readonly Word[]): Word[][] {
  const at = lastOfTarget(base, words) + 1;
  const text = textOfAll(words.slice(at));
  if (at === 0 || !(SIGNS.test(text) || words.some((word) => /\s/.test(word.text)))) return [];
  const nodes = (parseShell(text)?.commands ?? []).flatMap(nodesIn);
  const calls = nodes.flatMap((node) => (node.type === "Command" ? [callOf(node)] : []));
  const redirects = nodes.flatMap((node) => (node.type === "Redirect" ? [text.slice(node.pos, node.end)] : []));
  const others = redirects.filter((each) => !TO_NOWHERE.test(each)).map((each) => [literal(each)]);
  const all = nodes.length === 0 ? [[literal("?")]] : [...calls, ...others];
  return all.map((call) => [...words.slice(0, at), ...call]);
}

/** Signs that a shell does not give to the program as they are. */
const SIGNS = /[;&|<>()`$\n{}'"\\=]/;
/** A redirect that changes no file. */
const TO_NOWHERE = /^(\d*|&)(>>?|<)\s*(\/dev\/null|&\d)$/;

/** Returns the position of the host of `ssh`, or of `shell` for `adb shell`. */
function lastOfTarget(base: string, words: readonly Word[]): number {
  if (base === "adb") return words.findIndex(({ text }) => text === "shell");
  return /^(ssh|autossh)$/.test(base)
    ? words.findIndex(({ text }, i) => !text.startsWith("-") && !VALUED.test(words[i - 1]?.text ?? ""))
    : -1;
}
