import { readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { withoutByteOrderMark } from "@baton/core/text/json";
import { parseTree, type ParseError } from "jsonc-parser";
import writeFileAtomic from "write-file-atomic";
import { jsonErrorMessage } from "../json-error-message.ts";
import { positionAt } from "../load-config.ts";

/** The format of insertions. A new entry comes first in its object; anywhere else, the previous entry would be rewritten as well. */
export const JSONC_EDIT_OPTIONS = { formattingOptions: { insertSpaces: true, tabSize: 2 }, getInsertionIndex: () => 0 };

/** True if the file was written, or the reason why it was not. */
export type EditResult = { written: boolean } | { refused: Refusal };

/** Changes the text of a config. `change` returns undefined to leave it as it is. */
export type ConfigEditor = (change: (text: string) => string | undefined) => Promise<EditResult>;

/**
 * Edits a config, one change after the other. A missing config counts as empty. A link leads to the file behind it. A config that cannot be
 * read is not changed.
 */
export function openConfigEditor(file: string): ConfigEditor {
  let queue: Promise<unknown> = Promise.resolve();
  return (change) => {
    const work = queue.then(() => editNow(file, change));
    queue = work.catch(() => undefined);
    return work;
  };
}

async function editNow(file: string, change: (text: string) => string | undefined): Promise<EditResult> {
  const before = withoutByteOrderMark(await readFile(file, "utf8").catch(ifMissing("")));
  const text = before.trim() === "" ? "{}\n" : before;
  const problem = syntaxError(text);
  if (problem) return refuseEdit(`${file}:${problem} Nothing was written. Fix the file there, then try again.`);
  let after: string | undefined;
  try {
    after = change(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuseEdit(`${file} already has a different value there (${why}). Nothing was written. Edit the file by hand.`);
  }
  if (after === undefined) return { written: false };
  await writeFileAtomic(await linkTarget(file), after, { mode: 0o600 });
  return { written: true };
}

const refuseEdit = (message: string) => refuse("config_broken", message);

/** The first syntax error as `LINE:COLUMN: MESSAGE.` Undefined if there is none. */
function syntaxError(text: string): string | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  const { line, column } = positionAt(text, first?.offset ?? 0);
  if (first) return `${line}:${column}: ${jsonErrorMessage(first)}.`;
  return root?.type === "object" ? undefined : `${line}:${column}: The config must be one object: { ... }.`;
}

/** The target of a link, even if it does not exist yet. Otherwise the file itself. */
async function linkTarget(file: string): Promise<string> {
  const real = await realpath(file).catch(ifMissing(undefined));
  if (real !== undefined) return real;
  const target = await readlink(file).catch(() => undefined); // the file does not exist, so it is not a link
  return target === undefined ? file : path.resolve(path.dirname(file), target);
}

/** Replaces a missing file by a default. Rethrows other errors. */
const ifMissing =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return fallback;
    throw error;
  };
