import { nameMatcher } from "../tables/name-matcher.ts";
import { readers } from "../tables/readers.ts";
import { writers } from "../tables/writers.ts";
import type { Word } from "../words/word.ts";

/**
 * Calls that only print a version, a usage, a setting or a plan, or set an option of the shell that changes no later word: the programs,
 * and the form of all words behind the name.
 */
const HARMLESS_CALLS: readonly (readonly [names: string, call: RegExp])[] = [
  [
    `node nodejs npm npx bunx pnpx uvx pnpm yarn bun deno tsc python# pip# ruby perl php go cargo rustc rustup java javac gcc g++ clang make
      cmake docker docker-compose kubectl git gh bash curl wget jq rg eslint prettier vitest jest uv poetry terraform helm mvn gradle dotnet
      swift aws az gcloud glab fd bat bundle gem code ffmpeg sqlite3 psql oxlint oxfmt tmux ruff rustfmt rsync ssh openssl tar zip unzip sed awk grep find`,
    /^--(version|help)$/,
  ],
  ["node npm npx bunx pnpx uvx pnpm yarn bun tsc pip java ruby php perl ssh", /^-[vV]$/],
  ["mvn gradle bundle gem", /^-v$/],
  ["hash", /^[\w.][\w.+-]*( [\w.][\w.+-]*)*$/],
  ["curl rustc cargo uv psql python# tmux poetry rustup", /^-VV?$/],
  ["java javac ffmpeg mvn", /^-version$/],
  ["go kubectl docker helm terraform openssl", /^version( -a)*$/],
  ["go", /^(help( [\w.-]+)*|env( -json| [A-Z][A-Z0-9_]*)*)$/],
  ["patch", /^(?=.*--dry-run)((--dry-run|-[RNsfu]|-p\d|--verbose)( |$))+$/],
  ["tee", /^(-a )?\/dev\/tty$/],
  ["ulimit", /^(-[HSabcdefiklmnpqrstuvxPRT]+( |$))*$/],
  ["jps lsb_release", /^-[a-z]+$/],
  ["jobs", /^(-[lnprs]+( |$))*$/],
  ["shopt", /^((-[su]|nullglob|globstar)( |$))*$/],
  ["set", /^([-+]([eux]+|[eux]*o (pipefail|errexit|nounset|xtrace))( |$))+$/],
];

const rows = HARMLESS_CALLS.map(([names, call]) => [nameMatcher(names), call] as const);

/** True for a call that does nothing else, whatever its program does with other words. */
export function isHarmlessCall(name: string, words: readonly Word[]): boolean {
  if (words.some(({ kind, text }) => kind !== "literal" || !/^\S+$/.test(text))) return false;
  const call = words.map(({ text }) => text).join(" ");
  return rows.some(([isProgram, form]) => isProgram(name) && form.test(call)) || (/^--(help|version)$/.test(call) && isOfSystem(name));
}

/** True for a program with a table that says what its operands mean. It has the flags `--help` and `--version`. */
const isOfSystem = (name: string): boolean =>
  Object.hasOwn(readers, name) ? !readers[name]?.anything : Object.hasOwn(writers, name) && writers[name]?.operands !== undefined;
