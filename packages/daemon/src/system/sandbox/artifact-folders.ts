import { readdirSync, type Dirent } from "node:fs";
import path from "node:path";

/** Folders that builds and package managers write, and whose content nobody edits. */
const ARTIFACTS = new Set(
  "node_modules dist build out target coverage .next .nuxt .svelte-kit .turbo .cache .parcel-cache .vite __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .venv venv .gradle .nyc_output .eggs .dart_tool _build deps obj".split(
    " ",
  ),
);

/** Folders further below are not looked for. */
const MAX_DEPTH = 3;

/** Each of them is a mount. */
const MAX_ARTIFACTS = 200;
const MAX_FOLDERS_OF_LEVEL = 200;

/** The folders of build results among the folders below a workspace, whose paths are relative to it and nearest first. */
export const artifactsAmong = (workspace: string, folders: readonly string[]): string[] =>
  folders
    .filter(isArtifact)
    .slice(0, MAX_ARTIFACTS)
    .map((below) => path.join(workspace, below));

/** The existing folders of build results below a workspace. Links are left out, because they lead elsewhere. */
export function artifactFolders(workspace: string): string[] {
  const found: string[] = [];
  let level = [""];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = level.flatMap((folder) => foldersIn(path.join(workspace, folder)).map(({ name }) => path.join(folder, name)));
    found.push(...next);
    level = next.filter((below) => path.basename(below) !== ".git" && !isArtifact(below)).slice(0, MAX_FOLDERS_OF_LEVEL);
  }
  return artifactsAmong(workspace, found);
}

function isArtifact(below: string): boolean {
  const names = below.split(path.sep);
  return names.length <= MAX_DEPTH && names.findIndex((name) => ARTIFACTS.has(name)) === names.length - 1;
}

function foldersIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    return []; // a program cannot read it either
  }
}
