import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ModelServer } from "../../test/support/model-server.ts";

/** Measures how long a piece of text takes from the model's server through a bare relay to a socket, in milliseconds. */
export async function bareRelay(stamps: { count: number; everyMs: number }): Promise<number[]> {
  await using model = await ModelServer.start({ replies: [{ stamps }] });
  const relay = spawn(process.execPath, [fileURLToPath(new URL("bare-relay-process.ts", import.meta.url)), model.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { port } = JSON.parse(String(await new Promise((resolve) => relay.stdout.once("data", resolve)))) as { port: number };
  const values: number[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  socket.onmessage = ({ data }) => {
    const now = performance.now();
    for (const [, stamp] of String(data).matchAll(/"content":"([\d.]+) "/g)) values.push(now - Number(stamp));
  };
  await new Promise((ended) => relay.once("exit", ended));
  return values;
}
