import { accessSync, constants, realpathSync, statSync } from "node:fs";
import path from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Where a program was found. */
export type FoundProgram = { file: string; where: "project" | "path" };

/** Folders of a project in which package managers install programs. */
const PROJECT_FOLDERS = [
  path.join("node_modules", ".bin"),
  path.join(".venv", "bin"),
  path.join("venv", "bin"),
  path.join("vendor", "bin"),
];

/** Finds an installed program: first in the project, then on the PATH. A name with a slash is a path in the project. */
export function findProgram(name: string, folder: string, env: Env): FoundProgram | undefined {
  if (path.basename(name) !== name) {
    const file = path.resolve(folder, name);
    return isProgram(file) ? { file, where: path.isAbsolute(name) ? "path" : "project" } : undefined;
  }
  const own = PROJECT_FOLDERS.map((each) => path.join(folder, each, name)).find(isProgram);
  if (own !== undefined) return { file: own, where: "project" };
  const onPath = (env["PATH"] ?? "").split(path.delimiter).filter((each) => path.isAbsolute(each));
  const file = onPath.map((each) => path.join(each, name)).find(isProgram);
  return file === undefined ? undefined : { file, where: "path" };
}

/** Whether commands that may change a project can change this program. `folder`: a real path. */
export const isOfProject = ({ file, where }: FoundProgram, folder: string): boolean =>
  where === "project" && !path.relative(folder, realpathSync(file)).startsWith("..");

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
