import * as z from "zod";
import type { ToolEnvironment, ToolProblem } from "./environment.ts";
import { addedFolders } from "./read-direnv.ts";
import { programProblem, type RunTool } from "./run-tool.ts";

const Variables = z.record(z.string(), z.string());

/** Runs `mise env --json`. The user approved the files of this folder in Baton, so mise trusts them for this one run. */
export async function readMise(
  folder: string,
  program: string,
  run: RunTool,
  visible: readonly string[],
): Promise<ToolEnvironment | ToolProblem> {
  const env = { MISE_TRUSTED_CONFIG_PATHS: folder, MISE_QUIET: "1", MISE_CEILING_PATHS: parentOf(folder) };
  const exit = await run({ file: program, args: ["env", "--json"], env, visible });
  if ("problem" in exit || exit.code !== 0) return { problem: programProblem("mise", exit) };
  try {
    const { PATH, ...variables } = Variables.parse(JSON.parse(exit.stdout));
    return { folders: addedFolders(PATH, run.path), variables };
  } catch {
    return { problem: "mise printed something else than variables." };
  }
}

/** mise does not look above the folder, because nobody approved the files there. */
const parentOf = (folder: string): string => folder.replace(/\/[^/]*$/, "") || "/";
