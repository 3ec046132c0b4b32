import { realpathSync } from "node:fs";
import path from "node:path";
import type { ToolEnvironment, EnvironmentProblem } from "./environment.ts";
import { isFile, isFolder } from "./detect-environment-tools.ts";

/**
 * A virtual environment of Python is a folder with programs. Nothing is run. If it is a link to one outside of the folder, commands get the real
 * path, because an agent can change the link.
 */
export function readVenv(folder: string, source: string): ToolEnvironment | EnvironmentProblem {
  const venv = path.join(folder, source);
  const bin = path.join(venv, "bin");
  const real = isFolder(bin) ? realpathSync(bin) : bin;
  const isOutside = !real.startsWith(`${folder}/`);
  if (isOutside && !isFile(path.join(path.dirname(real), "pyvenv.cfg")))
    return { problem: `${source}/bin is a link to ${real}, which is in no virtual environment.` };
  return { folders: [isOutside ? real : bin], variables: { VIRTUAL_ENV: venv }, watched: [path.join(venv, "pyvenv.cfg"), bin] };
}
