import path from "node:path";
import type { NamedPath } from "../programs/program-types.ts";
import type { Places } from "../shell/shell-context.ts";
import { literal, textOfAll, type Word } from "../words/word.ts";
import { foldersFrom, isBelow, readText } from "./path-on-disk.ts";

/**
 * Calls that change only the manifest of the project in their folder, unless a file says that there is a workspace of several projects. `definitions`:
 * such files, and what they contain then.
 */
const ROWS: readonly { call: RegExp; manifests: RegExp; definitions: Readonly<Record<string, RegExp>> }[] = [
  {
    call: /^(npm|pnpm|yarn|bun) (add|i|install|remove|rm|uninstall)( (-[DEOPS]|--(save(-\w+)?|dev|exact|ignore-scripts|no-audit|no-fund)|@?\w[\w./@^~-]*))+$/,
    manifests: /^package\.json$/,
    definitions: { "package.json": /workspaces|\\/, "pnpm-workspace.yaml": /^/, "lerna.json": /^/ },
  },
  {
    call: /^(uv|poetry|pdm) (add|remove)( (--dev|--no-sync|\w[\w.[\],<>=~!*-]*))+$/,
    manifests: /^pyproject\.toml$/,
    definitions: { "pyproject.toml": /workspace|\\/ },
  },
  { call: /^go (mod tidy( -v)?|get( (-[utv]|\w[\w./@-]*))+)$/, manifests: /^go\.(mod|sum)$/, definitions: { "go.work": /^/ } },
];

const isDefinition = (text: string | undefined, form: RegExp): boolean => text !== undefined && form.test(text);

/** Returns the folders that may have the manifest that such a call changes. Undefined for any other call, and in a workspace of several projects. */
export function ownManifests(name: string, words: readonly Word[], { cwds, place }: Places): NamedPath[] | undefined {
  const row = ROWS.find(({ call }) => call.test(textOfAll([literal(name), ...words])));
  const folders = [...new Set(cwds.flatMap(foldersFrom))];
  const defines = ([file, form]: [string, RegExp]) =>
    [...place.made].some((made) => path.basename(made) === file) ||
    folders.some((folder) => isDefinition(readText(path.join(folder, file)), form));
  if (!row || words.some(({ kind }) => kind !== "literal") || Object.entries(row.definitions).some(defines)) return undefined;
  const leavesOut = () => (_: string, below: string) => !row.manifests.test(below);
  return folders
    .filter((folder) => isBelow(folder, place.workspace))
    .map((folder) => ({ word: literal(folder), use: "mentions", search: { suspected: true, leavesOut } }));
}
