import path from "node:path";
import type { FilesBelow } from "@baton/core/permission/judge";
import { isFolder } from "./path-on-disk.ts";
import { entriesBelow } from "./walk-folder.ts";
import type { ShellContext } from "../shell/shell-context.ts";

/** The limit for files and folders of a copy that the gate examines one by one. */
const MAX_ENTRIES = 2_000;

type Copied = { files: string[]; isWhole: boolean };

/**
 * Returns the files that a copy or a move of these sources writes, as absolute paths. `target` and `sources` are absolute as
 * well. A source that ends with `/` or `/.` may mean its contents (`cp -r sub/. .`, `rsync sub/ .`). `made`: files that the text makes before.
 * `isNew`: the target is one of them. The list has a size limit, and `isWhole` is false if it was cut off.
 */
export function copiedTo(target: string, sources: readonly string[], made: ReadonlySet<string>, isNew = made.has(target)): Copied {
  const isInto = isFolder(target) || target.endsWith("/") || isNew;
  const files: string[] = [];
  let isWhole = true;
  for (const source of sources) {
    const folder = path.resolve(source);
    const own = path.join(target, path.basename(folder));
    if (isInto) files.push(own);
    const roots = [...(isInto ? [own] : []), ...(!isInto || isNew || /\/\.?$/.test(source) ? [target] : [])];
    for (const below of namesBelow(folder, made)) {
      isWhole &&= files.length < MAX_ENTRIES;
      if (!isWhole) break;
      files.push(...roots.map((root) => path.join(root, below)));
    }
  }
  return { files, isWhole };
}

/** Yields the paths below a folder, from that folder, of the files on the disk and of those that the text makes. */
function* namesBelow(folder: string, made: ReadonlySet<string>): Generator<string, void> {
  if (isFolder(folder)) for (const { below } of entriesBelow(folder)) yield below;
  if (!foldersOf(made).has(folder)) return;
  for (const file of made) if (file.startsWith(`${folder}/`)) yield path.relative(folder, file);
}

const known = new WeakMap<ReadonlySet<string>, { size: number; folders: ReadonlySet<string> }>();

/** Returns the folders around these files. A set that has not grown is not read again. */
function foldersOf(files: ReadonlySet<string>): ReadonlySet<string> {
  const before = known.get(files);
  if (before?.size === files.size) return before.folders;
  const folders = new Set<string>();
  for (const file of files) for (let folder = path.dirname(file); !folders.has(folder); folder = path.dirname(folder)) folders.add(folder);
  known.set(files, { size: files.size, folders });
  return folders;
}

/** Returns a lazy listing of the same files for rules. Rules read it only if one of them is about such a file. */
export function copiedBelow(target: string, sources: readonly string[], { place }: ShellContext): FilesBelow {
  const isNew = place.made.has(target);
  return () => {
    const { files, isWhole } = copiedTo(target, sources, place.made, isNew);
    const accesses = files.flatMap((file) => {
      const gated = place.gatePath(file);
      return "refused" in gated ? [] : [{ action: "edit", resource: gated.relative }];
    });
    return { files: accesses, isWhole };
  };
}
