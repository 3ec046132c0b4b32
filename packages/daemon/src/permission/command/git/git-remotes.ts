import path from "node:path";
import { exists, readText } from "../files/path-on-disk.ts";
import { repositoryOf } from "./git-index.ts";
import { negates } from "./changed-paths.ts";
import { foldersOf } from "./embedded-repositories.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { literal, type Word } from "../words/word.ts";

/** Flags of `push`, `pull` and `fetch` whose value is the next word. */
const VALUED =
  /^(-o|--push-option|--depth|--deepen|--shallow-since|--shallow-exclude|-j|--jobs|--refmap|--server-option|--filter|-s|--strategy|-X|--strategy-option)$/;

/** Returns why a push, pull or fetch reaches no remote. Git takes another name for a folder, and a word with a colon for an address. */
export function strangeRemote(at: number, words: readonly Word[], context: Pick<ShellContext, "cwds">): string | undefined {
  if (!/^(push|pull|fetch)$/.test(words[at]?.text ?? "")) return undefined;
  const rest = words.slice(at + 1);
  const remote = rest.find(({ text }, i) => !text.startsWith("-") && !VALUED.test(rest[i - 1]?.text ?? ""));
  if (remote === undefined || rest.some(({ text }) => /^--(all|multiple)$/.test(text))) return undefined;
  if (remote.kind !== "literal") return "the remote is known only when it runs";
  if (!/^[\w][\w.-]*$/.test(remote.text) && remote.text !== ".") return "it names a folder or an address instead of a remote";
  const isFolder = foldersOf(words.slice(0, at), context).some(
    (folder) => exists(path.resolve(folder, remote.text)) && !remotesOf(folder).has(remote.text),
  );
  return isFolder ? `${remote.text} is a folder and no remote` : undefined;
}

const settingsOf = (folder: string): string => readText(path.join(repositoryOf(folder)?.place ?? folder, "config")) ?? ""; // it may be in another folder (a worktree)

/** Settings with which a push without a branch pushes other branches. */
const PUSHES = /^\s*(push\s*=|mirror\s*=|default\s*=\s*(matching|upstream|tracking))/im;

function remotesOf(folder: string): ReadonlySet<string> {
  return new Set([...settingsOf(folder).matchAll(/^\[remote "([^"]+)"\]/gm)].map(([, name = ""]) => name));
}

const CHECKED_OUT = /\b(?:checkout|switch|symbolic-ref(?:\s+-\S+)*\s+HEAD)\s+(?:-\S+\s+)*["']?(?:refs\/heads\/)?([\w./-]+)/g;

/**
 * Returns a push with the branches that it means: the current one if it names none, or one that the text checks out, and the usual ones if it may
 * push all.
 */
export function namedPushes(at: number, words: readonly Word[], context: ShellContext): Word[][] {
  if (words[at]?.text !== "push") return [];
  const rest = words.slice(at + 1);
  const [remote = literal("origin"), ...refs] = rest.filter(
    ({ text }, i) => !text.startsWith("-") && !VALUED.test(rest[i - 1]?.text ?? ""),
  );
  const isAll = words.some(
    ({ text }) => /^--(all|mirror|branches)$|\*|^\+?:$/.test(text) || (refs.length === 0 && /push\.default/i.test(text)),
  );
  const pushesOther = refs.length === 0 && foldersOf(words.slice(0, at), context).some((folder) => PUSHES.test(settingsOf(folder)));
  if (refs.length === 0 && words.some(({ text }) => text === "--tags") && !negates(words, "tags")) return []; // it pushes nothing else
  if (!isAll && refs.length > 0 && !refs.some(({ text }) => /^\+?(HEAD|@)$/.test(text))) return [];
  const heads = foldersOf(words.slice(0, at), context).map((folder) => readText(path.join(repositoryOf(folder)?.place ?? folder, "HEAD")));
  const branches = [
    ...heads.flatMap((head) => /^ref: refs\/heads\/(.*)/.exec(head ?? "")?.[1] ?? []),
    ...(isAll || pushesOther ? ["main", "master"] : []),
    ...[...context.place.text.matchAll(CHECKED_OUT)].map(([, branch = ""]) => branch),
  ];
  return branches.map((branch) => [literal("git"), literal("push"), remote, literal(branch)]);
}
