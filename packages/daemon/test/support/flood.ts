import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Anthropic's stream of one text in so many pieces of two characters, a thousand at a time and as fast as they are taken. */
export async function floodOf(deltas: number): Promise<{ url: string; close: () => void }> {
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
    for (let sent = 0; sent < deltas; sent += 1_000)
      if (!response.write(many)) await new Promise((drained) => response.once("drain", drained));
    response.write(event({ type: "content_block_stop", index: 0 } as { type: string }));
    response.write(event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage } as { type: string }));
    response.end(event({ type: "message_stop" }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => server.closeAllConnections() };
}

/** What a process holds in memory now. */
export const residentMiB = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
