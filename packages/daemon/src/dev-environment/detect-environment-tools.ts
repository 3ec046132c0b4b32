import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";
import type { FoundTool } from "./environment.ts";

/** The files of mise that decide about a folder, in the order in which they count. */
export const MISE_FILES = [
  "mise.local.toml",
  ".mise.local.toml",
  "mise.toml",
  ".mise.toml",
  ".config/mise.local.toml",
  ".config/mise.toml",
  ".config/mise/config.local.toml",
  ".config/mise/config.toml",
  "mise/config.local.toml",
  "mise/config.toml",
  ".mise/config.local.toml",
  ".mise/config.toml",
  ".tool-versions",
];

const FILES: Readonly<Record<EnvironmentTool, readonly string[]>> = {
  direnv: [".envrc"],
  mise: MISE_FILES,
  nvm: [".nvmrc", ".node-version"],
  venv: [".venv/pyvenv.cfg", "venv/pyvenv.cfg"],
};

/** The tools whose files a folder has. Nothing is run. */
export function detectEnvironmentTools(folder: string): FoundTool[] {
  return (Object.keys(FILES) as EnvironmentTool[]).flatMap((tool) => {
    const file = FILES[tool].find((name) => isFile(path.join(folder, name)));
    if (file === undefined) return [];
    return [{ tool, source: tool === "venv" ? path.dirname(file) : file }];
  });
}

export const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true;

export const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

const MAX_BYTES = 1024 * 1024;

/** The text of a file that is not too large. Undefined if it cannot be read. */
export function readSmallFile(file: string): string | undefined {
  try {
    return statSync(file).size > MAX_BYTES ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
