import { omitUndefined } from "@baton/core/text/omit-undefined";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/** A file of a plugin. `name`: its path in the plugin, with `/`. `link`: the text of a symbolic link. `stamp` changes with the file. */
export type PluginFile = { name: string; bytes: number; executable: boolean; stamp: string; link?: string };

/** The files of a plugin in the order of their names, or why a folder cannot be one. */
type Survey = { files: readonly PluginFile[] } | { problem: string };

export const MAX_FILES = 5_000;
export const MAX_BYTES = 50 * 1024 * 1024;
const MAX_DEPTH = 20;

/** A name is part of questions, lists and verdicts, so nothing in it may be hidden or begin a line. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Folders that belong to tools and not to the plugin. */
const LEFT_OUT = new Set([".git"]);

/**
 * Lists the files of a folder without reading them. It refuses a link that leads out of the folder, a device, a pipe, and a folder that is
 * larger than a plugin may be.
 */
export async function listPluginFiles(root: string): Promise<Survey> {
  const files: PluginFile[] = [];
  let bytes = 0;
  const walk = async (folder: string, depth: number): Promise<string | undefined> => {
    if (depth > MAX_DEPTH) return `${folder} is nested deeper than ${MAX_DEPTH} folders.`;
    const entries = (await readdir(path.join(root, folder), { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (INVISIBLE.test(entry.name)) return `${JSON.stringify(name)} has invisible characters in its name.`;
      if (entry.isDirectory()) {
        const problem = LEFT_OUT.has(entry.name) ? undefined : await walk(name, depth + 1);
        if (problem !== undefined) return problem;
        continue;
      }
      if (!entry.isFile() && !entry.isSymbolicLink()) return `${name} is neither a file, a folder nor a link.`;
      const whole = path.join(root, ...name.split("/"));
      const stat = await lstat(whole);
      const link = entry.isSymbolicLink() ? await readlink(whole) : undefined;
      if (link !== undefined && !(await isLinkInside(root, name, link)))
        return `${name} is a link to ${link}, which is outside of the plugin or leads nowhere.`;
      bytes += stat.size;
      if (files.length >= MAX_FILES) return `it has more than ${MAX_FILES} files.`;
      if (bytes > MAX_BYTES) return `it is larger than ${MAX_BYTES / 1024 / 1024} MB.`;
      const stamp = `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`;
      files.push({ name, bytes: stat.size, executable: (stat.mode & 0o111) !== 0, stamp, ...omitUndefined({ link }) });
    }
    return undefined;
  };
  try {
    const problem = await walk("", 0);
    return problem === undefined ? { files } : { problem };
  } catch (error) {
    return { problem: `it cannot be read: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** Whether a link stays in the plugin, by its text and by the place to which it leads over other links. */
async function isLinkInside(root: string, name: string, link: string): Promise<boolean> {
  if (!isWithinPlugin(path.posix.dirname(name), link)) return false;
  const real = await realpath(path.join(root, ...name.split("/"))).catch(() => undefined);
  return real !== undefined && isWithinPlugin("", path.relative(await realpath(root), real).replaceAll(path.sep, "/") || ".");
}

/** Whether a path that begins in `folder` stays in the plugin. Both are written with `/`. An absolute path does not. */
export function isWithinPlugin(folder: string, target: string): boolean {
  if (path.posix.isAbsolute(target) || path.win32.isAbsolute(target) || target.includes("\\") || target.includes("\0")) return false;
  const resolved = path.posix.normalize(path.posix.join(folder, target));
  return resolved !== ".." && !resolved.startsWith("../");
}

/** The hash of a plugin. It covers the name, the content and the executable bit of each file. */
export async function hashFiles(root: string, files: readonly PluginFile[]): Promise<string> {
  const whole = createHash("sha256");
  for (const { name, executable, link } of files) {
    const content = link === undefined ? await hashFile(path.join(root, ...name.split("/"))) : `link ${link}`;
    whole.update(JSON.stringify([name, executable && link === undefined, content]));
  }
  return whole.digest("hex");
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
