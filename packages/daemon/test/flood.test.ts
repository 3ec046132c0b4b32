import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";

/** A million takes more than a minute; BATON_FLOOD=1000000 tries it. */
const DELTAS = Number(process.env["BATON_FLOOD"] ?? 50_000);

/** Anthropic's stream of one text in a million pieces of two characters, as fast as it is taken. */
async function flood(): Promise<{ url: string; close: () => void }> {
  const piece = `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a " } })}\n\n`;
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    await buffer(request);
    const usage = { input_tokens: 10, output_tokens: 1 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(
      event({
        type: "message_start",
        message: { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage },
      } as { type: string }),
    );
    response.write(event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as { type: string }));
    const many = piece.repeat(1_000);
    for (let sent = 0; sent < DELTAS; sent += 1_000)
      if (!response.write(many)) await new Promise((drained) => response.once("drain", drained));
    response.write(event({ type: "content_block_stop", index: 0 } as { type: string }));
    response.write(event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage } as { type: string }));
    response.end(event({ type: "message_stop" }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => server.closeAllConnections() };
}

const residentMiB = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test("a flood of tiny pieces costs few commits and little memory, and all of them arrive", { timeout: 180_000 }, async () => {
  const server = await flood();
  await using daemon = await TestDaemon.start({
    config: { model: "p/m", providers: { p: { kind: "anthropic", baseUrl: server.url, apiKey: "k" } } },
  });
  using session = await daemon.session();
  await session.prompt("go");
  const began = performance.now();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, residentMiB(daemon.pid))), 100);
  await expect.poll(() => session.state.lastTurn?.reason, { timeout: 170_000, interval: 100 }).toBe("completed");
  clearInterval(watch);
  server.close();
  const seconds = (performance.now() - began) / 1_000;
  const kept = session.events.filter(({ type }) => type === "model.kept").length;
  console.log(`${seconds.toFixed(1)} s, ${kept} kept, ${session.frames.length} frames, ${most.toFixed(0)} MiB at most`);
  expect(session.state.lastTurn?.said?.length).toBe(2 * DELTAS);
  expect(session.events.length).toBeLessThan(10 + 20 * seconds);
});
