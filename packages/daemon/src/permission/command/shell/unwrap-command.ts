import { harmlessSetting, ownVariable } from "../words/harmless-variables.ts";
import { literal, type Word } from "../words/word.ts";

/** The result for a program that runs another program unchanged. The gate judges the inner command instead. */
export type Unwrapped = { words: readonly Word[] } | { doubt: string };

const wrappers: Record<string, (words: readonly Word[]) => Unwrapped> = {
  env: unwrapEnv,
  timeout: (words) =>
    skip(words, {
      plain: /^(-v|--verbose|--preserve-status|--foreground)$/,
      valued: /^(-s|-k|--signal|--kill-after)$/,
      before: 1,
      text: /^\d+(\.\d+)?[smhd]?$/,
    }),
  nice: (words) => skip(words, { plain: /^-\d+$/, valued: /^(-n|--adjustment)$/ }),
  time: (words) => skip(words, { plain: /^-[pv]$/ }),
  arch: (words) => skip(words, { plain: /^-(x86_64|arm64e?|i386|32|64)$/ }),
  command: (words) => skip(words, { plain: /^-p$/ }),
  "cross-env": unwrapEnv,
  ...Object.fromEntries(["env-cmd", "dotenv"].map((name) => [name, () => ({ doubt: "it sets variables from a file" })])),
  ...Object.fromEntries(["nohup", "builtin", "exec", "shx"].map((name) => [name, (words: readonly Word[]) => skip(words, {})])),
  stdbuf: (words) => skip(words, { plain: /^(-[ioe]|--(input|output|error)=)[0L]$/ }),
};

/** Flags that choose what is measured and reported. Other flags write elsewhere, empty a folder, or load code. */
const COVERAGE =
  /^--(all|check-coverage|per-file|silent|skip-full|exclude-after-remap|100|(lines|branches|functions|statements)=\d+|(include|exclude|extension)=[^/~$]\S*|reporter=(text|text-summary|text-lcov|lcov|lcovonly|html|json|json-summary|clover|cobertura|teamcity|none))$/;

/** Returns the words that a wrapper runs, and undefined if the program is not a wrapper. */
export function unwrap(name: string, words: readonly Word[]): Unwrapped | undefined {
  if (name === "command" && words[0]?.kind === "literal" && /^-[vV]$/.test(words[0].text)) return undefined;
  if (words.length === 0 && /^(env|arch)$/.test(name)) return undefined;
  return Object.hasOwn(wrappers, name) ? wrappers[name]?.(words) : undefined;
}

type Shape = { plain?: RegExp; valued?: RegExp; before?: number; text?: RegExp };

function skip(words: readonly Word[], { plain, valued, before = 0, text = /^/ }: Shape): Unwrapped {
  let at = 0;
  for (let word = words[at]; word?.kind === "literal" && word.text.startsWith("-"); word = words[at]) {
    const name = word.text.split("=")[0] ?? "";
    if (word.text === "--") {
      at += 1;
      break;
    }
    if (plain?.test(word.text) || (word.text.includes("=") && valued?.test(name))) at += 1;
    else if (valued?.test(word.text) && words[at + 1]?.kind === "literal") at += 2;
    else return { doubt: `${word.text} is no flag that is known here` };
  }
  const own = words.slice(at, at + before);
  if (own.some((word) => word.kind !== "literal" || !text.test(word.text))) return { doubt: "its own arguments are not plain" };
  const inner = words.slice(at + before);
  return inner.length > 0 ? { words: inner } : { doubt: "it names no program to run" };
}

/** Returns the command that a coverage tool runs. The tool loads settings and writes results, so the gate judges the tool too. */
export const measured = (words: readonly Word[]): Unwrapped => skip(words, { plain: COVERAGE });

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
