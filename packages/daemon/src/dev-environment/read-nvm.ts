import { readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { isFile, isFolder, readSmallFile } from "./detect-environment-tools.ts";
import type { ToolEnvironment, EnvironmentProblem } from "./environment.ts";

const MAX_ALIASES = 10;

/**
 * The installed version of Node that a file such as `.nvmrc` names. `nvm`: the folder of nvm, whose layout is data, so its script is not
 * run. A name such as `lts/iron` is a file in `alias`.
 */
export function readNvm(folder: string, source: string, nvm: string): ToolEnvironment | EnvironmentProblem {
  // The problem below shows a word of the file to agents, and an agent can make such a link.
  if (leadsOut(path.join(folder, source), folder)) return { problem: `${source} is a link that leads out of ${folder}.` };
  const wanted = (readSmallFile(path.join(folder, source)) ?? "")
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .find((line) => line !== "");
  if (wanted === undefined || !NAME.test(wanted)) return { problem: `${source} does not name a version of Node.` };
  const versions = path.join(nvm, "versions", "node");
  const version = installedVersion(resolveAlias(wanted, nvm), namesIn(versions));
  if (version === undefined)
    return { problem: `${source} names Node ${wanted}, which nvm has not installed. Run \`nvm install ${wanted}\`.` };
  return { folders: [path.join(versions, version, "bin")], variables: {}, watched: [versions, path.join(nvm, "alias")] };
}

function leadsOut(file: string, folder: string): boolean {
  return isFile(file) && !realpathSync(file).startsWith(`${realpathSync(folder)}/`);
}

/** A version such as `20` or `v20.11.1`, or an alias such as `lts/iron`, `lts/*` or `default`. */
const NAME = /^(v?\d+(\.\d+){0,2}|[\w-]+|lts\/(\*|[\w-]+))$/;

function resolveAlias(wanted: string, nvm: string): string {
  let name = wanted;
  for (let i = 0; i < MAX_ALIASES && !/^v?\d/.test(name); i++) {
    const next = NAME.test(name) ? readSmallFile(path.join(nvm, "alias", name))?.trim() : undefined;
    if (next === undefined) break;
    name = next;
  }
  return name;
}

/** The newest installed version that begins with these numbers. `node` and `stable` mean the newest of all. */
export function installedVersion(wanted: string, installed: readonly string[]): string | undefined {
  const prefix = numbersOf(wanted) ?? (wanted === "node" || wanted === "stable" ? [] : undefined);
  if (!prefix) return undefined;
  const known = installed.flatMap((name) => {
    const numbers = /^v\d+\.\d+\.\d+$/.test(name) ? numbersOf(name) : undefined;
    return numbers && prefix.every((number, i) => number === numbers[i]) ? [{ name, numbers }] : [];
  });
  return known.toSorted((a, b) => compare(b.numbers, a.numbers))[0]?.name;
}

const numbersOf = (version: string): number[] | undefined =>
  /^v?\d+(\.\d+){0,2}$/.test(version) ? version.replace("v", "").split(".").map(Number) : undefined;

const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((number, i) => number - (b[i] ?? 0)).find((by) => by !== 0) ?? 0;

const namesIn = (folder: string): string[] => (isFolder(folder) ? readdirSync(folder) : []);
