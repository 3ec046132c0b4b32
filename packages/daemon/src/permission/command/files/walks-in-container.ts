import path from "node:path";
import { endsOfMountedPath } from "./mounted-path.ts";
import { exists } from "./path-on-disk.ts";
import type { Word } from "../words/word.ts";

/** Commands that go through whole folders. `find` only lists files, unless it gives them to another program. */
const WALKS =
  /^(rg|ag|zip|tar|rsync|git (-\S+ ([^-\s]\S* )?)*grep\b|[efz]?grep .*-(\w*[rR]|-recursive|d ?recurse)|(cp|scp|rm|chown|chmod|chgrp) .*-(\w*[raR]|-recursive)|find .*-(exec|ok|delete))/;
/** Signs that a script gives the names that one command prints to another one. */
const FEEDS = /\$\(|`|\b(while|xargs)\b/;
const WALKER = /^(rg|ag|zip|tar|rsync|git|[efz]?grep|cp|scp|rm|chown|chmod|chgrp|find)$/;
/** Folders of the system in a container. No workspace is mounted there. */
const OF_SYSTEM = /^\/(tmp|etc|proc|sys|dev|run|bin|sbin|lib\w*|boot|usr\/(?!src\/)|var\/(?!www\/))/;

/** Returns the commands in a call that may go through folders, if it is not certain where they begin. */
export function anyWalks(words: readonly Word[]): string[][] {
  const scripts = words.filter(({ text }) => /\s/.test(text)).flatMap(({ text }) => text.split(/[;&|\n]+/));
  const calls = [words.map(({ text }) => text), ...scripts.map((each) => each.split(/[\s'"()]+/))];
  return calls.flatMap((call) => {
    const at = call.findIndex((text) => WALKER.test(path.posix.basename(text)));
    return at < 0 ? [] : [call.slice(at)];
  });
}

/** True if a command in a container goes through a folder that may be all of the workspace. */
export const walksWorkspace = (commands: readonly (readonly string[])[], text: string, workspace: string): boolean =>
  commands.some(([program = "", ...operands]) => {
    const walker = path.posix.basename(program);
    if (!WALKS.test([walker, ...operands].join(" ")) && !(walker === "find" && FEEDS.test(text))) return false;
    const named = operands.filter((each) => each !== "" && !each.startsWith("-"));
    const places = /^(rg|ag|[efz]?grep)$/.test(walker) ? named.slice(1) : named; // the first one is a pattern
    const isHere = places.length === 0 || (walker === "git" && !places.some((each) => each.startsWith("/")));
    return (isHere && !ONLY_PRINTS.test(operands.join(" "))) || places.some((each) => isRoot(each, workspace));
  });

/** Arguments with which a program only prints something about itself. */
const ONLY_PRINTS = /^(--version|-V|--help)$/;

/** True for a path in a container that may be the workspace itself, and not one of its files. */
const isRoot = (text: string, workspace: string): boolean =>
  /^\.{1,2}(\/\.{0,2})*$/.test(text) ||
  (text.startsWith("/") && !OF_SYSTEM.test(`${text}/`) && !endsOfMountedPath(text).some((name) => exists(path.join(workspace, name))));
