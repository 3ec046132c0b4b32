import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hash } from "node:crypto";
import path from "node:path";
import { isFile } from "./detect-environment-tools.ts";

/** Folders of the system. Their programs keep their names, because known commands start them as helpers. */
const SYSTEM = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** Programs of languages, which an environment is there to replace. The gate never allows them by their names alone. */
const OF_LANGUAGES =
  /^(python|pip|pypy|node|npm|npx|pnpm|pnpx|yarn|corepack|bun|deno|ruby|gem|bundle|irb|rake|java|javac|go|gofmt|php|composer|perl|cargo|rustc|tsc|eslint|prettier|pytest|py\.test|ruff|black|mypy|flake8|isort|pylint|coverage|tox|nox|uv|poetry|pdm|pipenv|virtualenv|ipython|jupyter|django-admin|flask|gunicorn|uvicorn|celery|alembic|ansible|sphinx-build)[\d.]*(-config)?$/;

/** Programs that git, tar and others start by their names. Not every system has them. */
const HELPERS =
  /^(gpg2?|gpgsm|gpgv|ssh|ssh-keygen|ssh-askpass|pinentry|less|more|most|pager|lesspipe|delta|diff-so-fancy|difft|bat|gzip|gunzip|zcat|bzip2|xz|unxz|lzma|lzip|lzop|lz4|lrzip|brotli|zstd|compress|uncompress|pigz|pbzip2|watchman)$/;

const MAX_PROGRAMS = 1_000;

/** The programs in folders of the project that commands may find by their names. A program of an earlier folder wins. */
export function projectPrograms(folders: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders)
    for (const name of namesIn(folder)) {
      const file = path.join(folder, name);
      if (found.has(name) || found.size >= MAX_PROGRAMS || !/^\w[\w.+-]*$/.test(name) || !isProgram(file)) continue;
      const isOfSystem =
        name.toLowerCase().startsWith("git-") ||
        HELPERS.test(name.toLowerCase()) ||
        SYSTEM.some((each) => existsSync(path.join(each, name)));
      if (!isOfSystem || OF_LANGUAGES.test(name)) found.set(name, file);
    }
  return found;
}

/**
 * A folder with a launcher for each program. Commands have this folder on their PATH, and not the folders of the project, so that a program
 * that an agent writes there does not take the place of `git` or of a program that `git` starts.
 */
export function launcherFolder(programs: ReadonlyMap<string, string>, parent: string): string | undefined {
  if (programs.size === 0) return undefined;
  const folder = path.join(parent, hash("sha256", JSON.stringify([...programs])).slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(path.join(parent, "new-"));
  for (const [name, file] of programs)
    writeFileSync(path.join(fresh, name), `#!/bin/sh\nexec '${file.replaceAll("'", `'\\''`)}' "$@"\n`, { mode: 0o755 });
  chmodSync(fresh, 0o755);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // otherwise another daemon was faster
  }
  return folder;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it does not exist
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}
