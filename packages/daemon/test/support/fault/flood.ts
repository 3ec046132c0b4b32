import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const event = (data: { type: string; [field: string]: unknown }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
/** One delta of a text. */
export const piece = (text: string) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const usage = { input_tokens: 10, output_tokens: 1 };

export type Flood = { url: string } & AsyncDisposable;

/** Anthropic's stream of one text, as fast as the reader takes it: these bytes, this many times. */
export async function flood(bytes: string, times: number, status = 200): Promise<Flood> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    await buffer(request);
    const closed = new Promise((done) => response.once("close", done));
    response.writeHead(status, { "content-type": "text/event-stream" });
    const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
    response.write(event({ type: "message_start", message }));
    response.write(event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }));
    for (let sent = 0; sent < times && !response.destroyed; sent++)
      if (!response.write(bytes)) await Promise.race([closed, new Promise((drained) => response.once("drain", drained))]);
    response.write(event({ type: "content_block_stop", index: 0 }));
    response.write(event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage }));
    response.end(event({ type: "message_stop" }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** This many pieces of two characters, a thousand at a time. */
export const floodOf = (deltas: number): Promise<Flood> => flood(piece("a ").repeat(1_000), deltas / 1_000);

/** The current memory use of a process. */
export const residentMiB = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
