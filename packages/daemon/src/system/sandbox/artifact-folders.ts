import { readdirSync, type Dirent } from "node:fs";
import path from "node:path";

/** Folders that builds and package managers write, and whose content nobody edits. */
const ARTIFACTS = new Set(
  "node_modules dist build out target coverage .next .nuxt .svelte-kit .turbo .cache .parcel-cache .vite __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .venv venv .gradle .nyc_output .eggs .dart_tool _build deps obj".split(
    " ",
  ),
);

const MAX_FOLDERS = 200;

/** The existing folders of build results below a workspace, three levels deep. Links are left out, because they lead elsewhere. */
export function artifactFolders(workspace: string): string[] {
  const found: string[] = [];
  let level = [workspace];
  for (let depth = 0; depth < 3; depth++) {
    const next: string[] = [];
    for (const folder of level)
      for (const entry of foldersIn(folder)) {
        const whole = path.join(folder, entry.name);
        if (ARTIFACTS.has(entry.name)) found.push(whole);
        else if (entry.name !== ".git") next.push(whole);
        if (found.length >= MAX_FOLDERS) return found;
      }
    level = next.slice(0, MAX_FOLDERS);
  }
  return found;
}

function foldersIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  } catch {
    return []; // a program cannot read it either
  }
}
