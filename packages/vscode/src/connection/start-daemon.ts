import { spawn } from "node:child_process";
import { findDaemon, type Discovery, type BatonPaths } from "@baton/daemon/client";

/** No daemon runs and none could be started. The message says why and what to do. */
export class DaemonNotStarted extends Error {}

/** `program` is the `baton` that starts one, a name on the PATH or a path; without it a daemon is only looked for. */
export async function findOrStart(places: BatonPaths, program: string | undefined): Promise<Discovery> {
  const running = await findDaemon(places.discovery);
  if (running) return running;
  if (program === undefined) throw new DaemonNotStarted("No daemon runs, and none is started from a workspace that is not trusted.");
  await runBaton(program, ["daemon", "start"]);
  const started = await findDaemon(places.discovery);
  if (started) return started;
  throw new DaemonNotStarted(`\`${program} daemon start\` went well, but no daemon answers. Run \`baton doctor\` to see what it says.`);
}

/** Runs the client program to its end. Throws what it says when it fails. */
export async function runBaton(program: string, args: readonly string[]): Promise<void> {
  const onWindows = process.platform === "win32"; // there it is a command script, which only a shell can start
  const child = spawn(program, [...args], { stdio: ["ignore", "ignore", "pipe"], shell: onWindows, windowsHide: true });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const end = await new Promise<{ code: number | null } | { error: NodeJS.ErrnoException }>((settle) => {
    child.once("error", (error: NodeJS.ErrnoException) => settle({ error }));
    child.once("close", (code) => settle({ code }));
  });
  if ("error" in end && end.error.code === "ENOENT")
    throw new DaemonNotStarted(`The program \`${program}\` was not found. Install Baton, or set \`baton.executable\` to its path.`);
  if ("error" in end) throw new DaemonNotStarted(`\`${program}\` could not be run: ${end.error.message}`);
  if (end.code !== 0) throw new DaemonNotStarted(said.trim() || `\`${program} ${args.join(" ")}\` ended with exit ${end.code}.`);
}
