import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ModelServer } from "../../test/support/model-server.ts";

/** The floor: a loop without log, permissions or daemon does the same work in a separate process. Gaps are in milliseconds. */
export async function bareLoop(steps: number, kind: "read" | "shell"): Promise<number[]> {
  const reply = { calls: [{ tool: "read_file", input: { path: "x" } }] };
  await using model = await ModelServer.start({ replies: [...Array.from({ length: steps }, () => reply), { text: "Done." }] });
  const loop = spawn(process.execPath, [fileURLToPath(new URL("bare-loop-process.ts", import.meta.url)), model.url, String(steps), kind], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await new Promise((ended) => loop.once("exit", ended));
  return model.requests.slice(1).map(({ at }, i) => at - (model.answeredAt[i] ?? at));
}
