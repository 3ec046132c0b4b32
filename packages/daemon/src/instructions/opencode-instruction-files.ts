import { glob } from "node:fs/promises";
import path from "node:path";
import { parse } from "jsonc-parser";
import type { CachedFileReader } from "./cached-file-reader.ts";

/** Configs of opencode and Kilo. Their `instructions` are paths and patterns relative to the project. */
const CONFIGS = ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", "kilo.json"];
const MAX_FILES = 50;

/** The files of a project that its `instructions` name, in order. Addresses and files outside the project are left out. */
export async function configuredInstructionFiles(workspace: string, read: CachedFileReader): Promise<string[]> {
  const texts = await Promise.all(CONFIGS.map((name) => read(path.join(workspace, name))));
  const named = texts.flatMap((text) => (text === undefined ? [] : instructionsIn(text)));
  const found = await Promise.all(named.map(async (each) => (/[*?{[]/.test(each) ? matching(each, workspace) : [path.normalize(each)])));
  return [...new Set(found.flat())].slice(0, MAX_FILES);
}

/** How long the files of a pattern stay cached, because walking a tree before every step would be slow. */
const CACHE_MS = 10_000;
const MAX_VISITED = 5_000;
const SKIPPED_FOLDERS = new Set("node_modules .git dist build target vendor .venv venv".split(" "));
const MAX_KNOWN = 200;
const known = new Map<string, { at: number; files: Promise<string[]> }>();

function matching(pattern: string, workspace: string): Promise<string[]> {
  const key = `${workspace}\0${pattern}`;
  const before = known.get(key);
  if (before && performance.now() - before.at < CACHE_MS) return before.files;
  if (known.size >= MAX_KNOWN) known.clear();
  const files = walk(pattern, workspace);
  known.set(key, { at: performance.now(), files });
  return files;
}

async function walk(pattern: string, workspace: string): Promise<string[]> {
  const files: string[] = [];
  let looked = 0;
  const exclude = (name: string) => SKIPPED_FOLDERS.has(name) || ++looked > MAX_VISITED;
  for await (const file of glob(pattern, { cwd: workspace, exclude })) {
    if (files.length >= MAX_FILES) break;
    files.push(path.normalize(file));
  }
  return files.toSorted();
}

function instructionsIn(text: string): string[] {
  const config = parse(text, [], { allowTrailingComma: true }) as { instructions?: unknown } | undefined; // the content is checked below
  const { instructions } = typeof config === "object" && config !== null ? config : {};
  return Array.isArray(instructions) ? instructions.filter((each): each is string => typeof each === "string" && isWithin(each)) : [];
}

const isWithin = (pattern: string): boolean =>
  pattern !== "" && !/^(~|\w+:\/\/)/.test(pattern) && !path.isAbsolute(pattern) && !pattern.includes("..");
