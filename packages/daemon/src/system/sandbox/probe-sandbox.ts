import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { BUBBLEWRAP } from "./bubblewrap.ts";
import type { ProgramCommand, Sandbox } from "./sandbox.ts";

/** `why`: the reason why no sandbox works, as the end of a sentence. */
export type SandboxState = { works: true } | { works: false; why: string };

/** A busy machine takes long to start a process. */
const PROBE_MS = 30_000;

/** Starts a program in the sandbox, because the presence of bubblewrap does not tell whether the system allows it. */
export async function probeSandbox(sandbox: Sandbox, cwd: string): Promise<SandboxState> {
  if (process.platform !== "linux") return { works: false, why: `Baton has no sandbox for ${process.platform} yet` };
  if (!existsSync(BUBBLEWRAP)) return { works: false, why: "bubblewrap is not installed (package bubblewrap)" };
  let program: ProgramCommand;
  try {
    program = sandbox.wrap({ file: "true", args: [] }, { cwd });
  } catch (error) {
    return { works: false, why: error instanceof Error ? error.message : String(error) };
  }
  const { file, args } = program;
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"], timeout: PROBE_MS });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  if (code === 0) return { works: true };
  const reason = stderr.trim().split("\n")[0] || `bubblewrap ended with ${code}`;
  return { works: false, why: `${reason}${isInContainer() ? ". Baton runs in a container that allows no namespaces" : ""}` };
}

/** Docker and Podman leave these files in a container. */
const isInContainer = (): boolean => existsSync("/.dockerenv") || existsSync("/run/.containerenv");
