import { accessSync, closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import path from "node:path";

/** Interpreters of scripts that cannot be executed by themselves, by their ending. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  ".py": "python3",
  ".js": "node",
  ".mjs": "node",
  ".cjs": "node",
  ".ts": "node",
  ".mts": "node",
  ".sh": "sh",
  ".bash": "bash",
  ".rb": "ruby",
  ".pl": "perl",
  ".php": "php",
  ".lua": "lua",
};
const MAX_FIRST_LINE = 256;

/** The program that runs a script, or why there is none. `find` finds an installed program by its name. */
export function scriptProgram(
  script: string,
  find: (program: string) => string | undefined,
): { file: string; args: readonly string[] } | { problem: string } {
  const ending = path.extname(script);
  if (isExecutable(script)) {
    const named = interpreterIn(firstLine(script));
    if (named !== undefined && !(path.isAbsolute(named) ? existsSync(named) : find(named)))
      return { problem: `It needs ${named}, which is not installed.` };
    if (named !== undefined || !(ending in INTERPRETERS)) return { file: script, args: [] };
  }
  const program = INTERPRETERS[ending];
  if (program === undefined)
    return {
      problem: `It cannot be executed, and Baton knows no interpreter for ${ending || "a file without an ending"}. Run \`chmod +x\` on it.`,
    };
  const file = find(program);
  return file === undefined ? { problem: `It needs ${program}, which is not installed.` } : { file, args: [script] };
}

/** The program in a first line such as `#!/usr/bin/env -S python3 -u`. */
function interpreterIn(line: string): string | undefined {
  const [program, ...words] = line.startsWith("#!") ? line.slice(2).trim().split(/\s+/) : [];
  if (program === undefined || path.basename(program) !== "env") return program;
  return words.find((word) => !word.startsWith("-") && !word.includes("=")) ?? program;
}

function firstLine(file: string): string {
  const bytes = Buffer.alloc(MAX_FIRST_LINE);
  const descriptor = openSync(file, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes)).split("\n", 1)[0] ?? "";
  } finally {
    closeSync(descriptor);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
