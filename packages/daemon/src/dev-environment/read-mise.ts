import path from "node:path";
import * as z from "zod";
import type { ToolEnvironment, EnvironmentProblem } from "./environment.ts";
import { addedFolders } from "./read-direnv.ts";
import { programProblem, type RunEnvironmentProgram } from "./run-environment-program.ts";

const Variables = z.record(z.string(), z.string());

/**
 * Runs `mise env --json`. The user approved these files in Baton, so mise trusts exactly them for this one run. mise refuses any other file that could
 * run a program, and does not look above the folder.
 */
export async function readMise(
  folder: string,
  program: string,
  run: RunEnvironmentProgram,
  { approved, visible }: { approved: readonly string[]; visible: readonly string[] },
): Promise<ToolEnvironment | EnvironmentProblem> {
  const env = {
    MISE_TRUSTED_CONFIG_PATHS: approved.map((name) => path.join(folder, name)).join(path.delimiter),
    MISE_CEILING_PATHS: path.dirname(folder),
    MISE_QUIET: "1",
  };
  const exit = await run({ file: program, args: ["env", "--json"], env, visible });
  if ("problem" in exit || exit.code !== 0) return { problem: programProblem("mise", exit) };
  try {
    const { PATH, ...variables } = Variables.parse(JSON.parse(exit.stdout));
    return { folders: addedFolders(PATH, run.path), variables };
  } catch {
    return { problem: "mise printed something else than variables." };
  }
}
