import path from "node:path";
import { mayHaveChanged } from "./created-files.ts";
import { pathKind, realPath } from "./path-on-disk.ts";
import { entriesOf } from "./walk-folder.ts";
import type { GateFindings } from "../gate-findings.ts";
import { STANDARD_MODULES } from "../tables/harmless-identifiers.ts";

/**
 * True if code of the workspace would run instead of an imported module. Python looks for modules in the folder of the code first, and so
 * do the modules that this code loads. Node does not read a JSON file as data if it is a symlink, a folder or missing.
 */
export function isShadowed(imports: readonly string[], folders: readonly string[], findings: GateFindings): boolean {
  const { made, brings } = findings;
  const [files, modules] = [imports.filter((each) => each.includes("/")), imports.filter((each) => !each.includes("/"))];
  if (files.some((file) => folders.some((folder) => !isPlainJson(path.resolve(folder, file), findings)))) return true;
  if (modules.length === 0) return false;
  if (brings || process.env["PYTHONPATH"] !== undefined) return true;
  const named = new Set(modules);
  const isMade = [...made].some((file) => folders.some((folder) => mayBeModule(path.relative(folder, file).split(path.sep), named)));
  return isMade || folders.some((folder) => entriesOf(folder).some((entry) => replaces(folder, entry.name, entry.isFile(), named)));
}

/** True for a name that the code imports, that modules of Python import, or that they may import on another version: `_json`. */
const isModule = (name: string, named: ReadonlySet<string>): boolean =>
  /^_(?!_(init|main|pycache)__)/.test(name) || [STANDARD_MODULES, named].some((modules) => modules.has(name.replace(/\..*$/, "")));

/** True for a path such as `json.py`, `json` and `json/__init__.py`. */
const mayBeModule = ([name = "", file, ...more]: readonly string[], named: ReadonlySet<string>): boolean =>
  isModule(name, named) && more.length === 0 && (file === undefined || file.startsWith("__init__."));

const replaces = (folder: string, name: string, isFile: boolean, named: ReadonlySet<string>): boolean =>
  isModule(name, named) &&
  (isFile
    ? /\.(py|pyc|so|pyd)$/.test(name)
    : /\.(py|pyc|so|pyd)$/.test(name) || entriesOf(path.join(folder, name)).some((entry) => entry.name.startsWith("__init__.")));

const isPlainJson = (file: string, findings: GateFindings): boolean =>
  pathKind(file) === "file" && realPath(file)?.endsWith(".json") === true && !mayHaveChanged(file, findings);
