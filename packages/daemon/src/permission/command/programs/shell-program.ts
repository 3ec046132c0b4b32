import { nameMatcher, wordSet } from "../tables/name-matcher.ts";
import { doubtful, UNKNOWN_ARGUMENT, type ProgramInvocation, type ProgramEffects } from "./program-types.ts";
import { isOnlyForBash, nodesIn, parseShell } from "../shell/parse.ts";
import { mentionedPaths } from "../files/mentioned-paths.ts";
import { isCertain, literal, textOfAll } from "../words/word.ts";

const SHELLS = wordSet("bash sh dash");
const OTHER_SHELLS = wordSet(
  "rbash zsh ksh mksh fish csh tcsh ash busybox pwsh powershell cmd cmd.exe powershell.exe nu elvish xonsh ksh93 posh rc es oksh loksh yash brush osh ysh oil murex ion hush mrsh",
);
/** Programs that run a file of code. They run their input as code if no argument tells them what to run. */
export const INTERPRETERS = `node# nodejs deno bun tsx ts-node python# pypy# perl# ruby# php# lua# Rscript osascript tclsh# julia elixir erl
  scala groovy swift guile# racket R wish# gp maxima octave clj clojure bb sbcl clisp jshell raku crystal ocaml qjs hy ipython# gnuplot runghc ghci`;
const readsInput = nameMatcher(`${INTERPRETERS} expect gdb lldb ed ex vi vim nvim emacs at batch crontab irb psql mysql sqlite3 m4
  parallel ssh telnet sftp ftp lftp smbclient k6 dc mariadb duckdb mongo mongosh redis-cli`);

export const isShell = (name: string): boolean => SHELLS.has(name) || OTHER_SHELLS.has(name);

export const readsCode = (name: string): boolean => isShell(name) || readsInput(name);

/**
 * Classifies a call of a shell. Baton judges code in an argument as if the command itself contained it. With `-l` the shell first reads the
 * profile of the user, which no agent can change.
 */
export function shell({ name, words, fed, upstream, input }: ProgramInvocation): ProgramEffects {
  if (!SHELLS.has(name)) return doubtful(`runs the shell ${name}, which is not read here`);
  let at = 0;
  let isCode = false;
  // The code is the first word behind all options, wherever `-c` is among them.
  for (let word = words[at]; word?.kind === "literal" && /^[-+]/.test(word.text); word = words[at]) {
    const isEnd = word.text === "--" || word.text === "-";
    if (/^-[euxfnl]*c[euxfnl]*$/.test(word.text)) isCode = true;
    else if (!isEnd && !/^(-[euxfn]+|--norc|--noprofile|--posix)$/.test(word.text)) return doubtful(`starts a shell with ${word.text}`);
    at += 1;
    if (isEnd) break;
  }
  const first = words[at];
  if (isCode) {
    if (first?.kind !== "literal" || !isCertain(first)) return doubtful("runs code that is known only when it runs");
    if ((name !== "bash" || words.some(({ text }) => text === "--posix")) && isOnlyForBash(first.text))
      return doubtful(`gives ${name} code that is written for bash`);
    const args = words.slice(at + 1);
    if (args.some((word) => word.kind === "pattern" && word.isOne !== true))
      return doubtful("runs code given as text, with names of which it is not certain how many there are");
    if (args.length > 0 && mayShift(first.text)) return doubtful("runs code given as text, with arguments");
    return { reads: true, paths: [], doubts: [], scripts: [first.text], isWrapper: true, ...(args.length > 0 ? { args } : {}) };
  }
  if (!first || INPUT.test(first.text))
    return { ...doubtful(feeding(name, fed, upstream)), ...(input === undefined ? {} : { scripts: [input] }) };
  if (first.kind === "open") return doubtful(UNKNOWN_ARGUMENT);
  const isCheck = (first.kind === "literal" || first.isOne === true) && words[0]?.text === "-n" && words.length === 2; // it runs nothing of the script
  const given = mentionedPaths({ name, words: words.slice(at + 1) }).map(({ word }) => ({ word, use: "mentions" as const }));
  const doubts = words.slice(at + 1).some((word) => word.kind === "open" && /^($|-)/.test(word.prefix)) ? [UNKNOWN_ARGUMENT] : [];
  return { reads: isCheck, paths: [{ word: first, use: "reads" }, ...given], doubts };
}

/** True if a text may change its arguments, so that `$1` is no longer the first one. */
function mayShift(text: string): boolean {
  const calls = (parseShell(text)?.commands ?? []).flatMap(nodesIn).filter((node) => node.type === "Command");
  return calls.some(({ name, suffix }) => {
    const words = /^(command|builtin)$/.test(name?.value ?? "") ? [name, ...suffix] : [name];
    return words.some((word) => word?.type === "Word" && (SHIFTING.test(word.value) || /[$`]/.test(word.value)));
  });
}

const SHIFTING = /^(shift|set|getopts|eval|source|\.)$/;

/** The file names that mean standard input, or something that the shell has opened. */
export const INPUT = /^(-|\/dev\/stdin|\/(dev|proc\/self)\/fd\/\d+)$/;

/** Programs that bring text from the network. `$` stands for a program that is known only when it runs. */
export const NETWORK_PROGRAMS: ReadonlySet<string> = wordSet(
  "$ curl wget fetch http https httpie xh curlie aria2c nc ncat netcat socat ftp sftp telnet lynx w3m links ssh scp",
);
export const isFromNetwork = (upstream: readonly string[]): boolean => upstream.some((from) => NETWORK_PROGRAMS.has(from));

/** Calls that run their input without naming an interpreter in front: in a container, on another machine, or as a file of code. */
const RUNS_INPUT =
  /^(docker|podman)\b.* run |^ssh .*(python|node|ruby|perl|php)\S*( -)?$|^(go|java|kotlin\w*|swift|dart|zig|scala) .*(-|\/dev\/stdin|\/fd\/0)$/;
/** True if a call runs text from the network in one of these ways. */
export const mayRunDownload = ({ name, words, fed, upstream }: ProgramInvocation): boolean =>
  fed === "pipe" && isFromNetwork(upstream) && RUNS_INPUT.test(textOfAll([literal(name), ...words]));

/** Describes the input of a program that runs its input as code. */
export function feeding(name: string, fed: ProgramInvocation["fed"], upstream: readonly string[]): string {
  if (fed === "pipe" && isFromNetwork(upstream)) return "pipes from the network into a program that runs it";
  return fed === "nothing" ? `starts ${name} without a script` : `${name} runs code that comes in as its input`;
}
