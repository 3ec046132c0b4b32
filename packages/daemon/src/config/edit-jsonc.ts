import { readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { parseTree, type ParseError } from "jsonc-parser";
import writeFileAtomic from "write-file-atomic";
import { jsonErrorMessage } from "./json-error-message.ts";
import { positionAt } from "./load-config.ts";

/** How what is put into a config is written: as the first of its object, as elsewhere the entry before it would be written anew as well. */
export const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 }, getInsertionIndex: () => 0 };

/** Whether the file is another now, or why it stays as it is. */
export type EditResult = { written: boolean } | { refused: Refusal };

/** Rewrites the text of a config; `change` gives undefined for one that is to stay. */
export type ConfigEditor = (change: (text: string) => string | undefined) => Promise<EditResult>;

/**
 * Changes of one config, one after the other, each on what the one before has left. A config that is not there is an empty
 * one, of a link it is the file behind it, and one that cannot be read stays as it is.
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
  const before = await readFile(file, "utf8").catch(ifMissing(""));
  const text = before.trim() === "" ? "{}\n" : before;
  const fault = faultIn(text);
  if (fault) return stays(`${file}:${fault} Nothing was written. Mend the file there, then try again.`);
  let after: string | undefined;
  try {
    after = change(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return stays(`${file} has something else where this belongs (${why}). Nothing was written. Change the file by hand.`);
  }
  if (after === undefined) return { written: false };
  await writeFileAtomic(await behind(file), after, { mode: 0o600 });
  return { written: true };
}

const stays = (message: string) => refuse("config_broken", message);

/** Where the text is no config, as `LINE:COLUMN: WHY.` */
function faultIn(text: string): string | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  const { line, column } = positionAt(text, first?.offset ?? 0);
  if (first) return `${line}:${column}: ${jsonErrorMessage(first)}.`;
  return root?.type === "object" ? undefined : `${line}:${column}: The config has to be one object: { ... }.`;
}

/** The file that a link leads to, also where that is not there yet; else the file itself. */
async function behind(file: string): Promise<string> {
  const real = await realpath(file).catch(ifMissing(undefined));
  if (real !== undefined) return real;
  const target = await readlink(file).catch(() => undefined); // nothing is there, so it is no link either
  return target === undefined ? file : path.resolve(path.dirname(file), target);
}

/** What stands for a file that is not there. */
const ifMissing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return instead;
    throw error;
  };
