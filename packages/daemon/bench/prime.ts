import { rmSync } from "node:fs";
import { compiled, TestDaemon } from "../test/support/daemon.ts";
import { ModelServer } from "../test/support/model-server.ts";

const STEPS = 20;

/** One turn of a daemon that stops normally and stores its compiled code, as in every home that has been used. */
export async function prime(): Promise<void> {
  rmSync(compiled, { recursive: true, force: true });
  const calls = [
    { tool: "read_file", input: { path: "notes.txt" } },
    { tool: "run_command", input: { command: "true" } },
  ];
  await using model = await ModelServer.start({ replies: [...Array.from({ length: STEPS }, () => ({ calls })), { text: "Done." }] });
  const permissions = { command: { true: "allow" }, loop_guard: "allow" };
  await using daemon = await TestDaemon.start({
    config: { ...model.config, permissions },
  });
  daemon.write("notes.txt", "A line of text.\n");
  using session = await daemon.session();
  await session.runTurn("go");
  await daemon.kill("SIGTERM");
}
