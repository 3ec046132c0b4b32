import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { Workbench } from "../support/workbench.ts";
import type { EditCall, Files } from "./call-types.ts";

/** The outcome of a call: the files are right, the agent refused although the call has a meaning, or the files are wrong. */
export type Ending = "right" | "refused" | "wrong";

/** Compares the files after a call with the right ones. */
export function endingOf({ before, after, orAfter }: EditCall, files: Files): Ending {
  if (areEqual(files, after ?? before) || (orAfter && areEqual(files, orAfter))) return "right";
  return areEqual(files, before) ? "refused" : "wrong";
}

const sorted = (files: Files): string => JSON.stringify(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
const areEqual = (a: Files, b: Files): boolean => sorted(a) === sorted(b);

/** The text files in a folder. */
export function readFiles(folder: string): Files {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name.replaceAll(path.sep, "/"), readFileSync(path.join(folder, name), "utf8")]));
}

/** Runs a call with Baton's own tools in a separate folder. */
export async function runWithBaton(call: EditCall): Promise<{ ending: Ending; text: string; files: Files }> {
  await using bench = await Workbench.open({ ...call.before });
  const outcome =
    call.kind === "patch"
      ? await bench.run("apply_patch", { patch: call.patch })
      : await bench.run("edit_file", {
          path: call.path,
          old_text: call.old,
          new_text: call.now,
          ...(call.all ? { replace_all: true } : {}),
        });
  const files = readFiles(bench.folder.path);
  return { ending: endingOf(call, files), text: outcome.text, files };
}
