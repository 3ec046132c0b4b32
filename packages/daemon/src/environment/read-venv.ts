import path from "node:path";
import type { ToolEnvironment } from "./environment.ts";

/** A virtual environment of Python is a folder with programs. Nothing is run. */
export function readVenv(folder: string, source: string): ToolEnvironment {
  const venv = path.join(folder, source);
  return { folders: [path.join(venv, "bin")], variables: { VIRTUAL_ENV: venv }, watched: [path.join(venv, "pyvenv.cfg")] };
}
