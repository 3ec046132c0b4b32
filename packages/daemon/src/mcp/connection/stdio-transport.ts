import { isRecord, parseJson } from "@baton/core/text/json";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Overlong } from "../../system/commands/line-splitter.ts";
import type { StdioListener, StdioProcess } from "../../system/commands/stdio-process.ts";

/** Starts the program, or returns the reason why it cannot be started. */
type StartProcess = (heard: StdioListener) => Promise<StdioProcess | { fault: string; message: string }>;

/** Receives output that is not a message, and the reason why the server ended. */
export type OnStderr = (text: string) => void;

const TOO_LONG = -32_001;
/** The maximum number of lines that are not messages. */
const MAX_JUNK = 1_000;

/** Marks a transport as a program for the SDK, which otherwise takes a silent program for a failed one. */
type OfProgram = Transport & { pid: null; stderr: null };

/**
 * Sends messages over a program's standard input and output. A line that is not a message is logged and skipped. An answer that is too long
 * fails only its own call, whose id is at the beginning or the end of the answer.
 */
export function stdioTransport(start: StartProcess, aside: OnStderr): Transport {
  let talk: StdioProcess | undefined;
  let junk = 0;
  /** The SDK handles notifications slightly later than answers, so the last progress before an answer would come too late. */
  const deliver = (message: JSONRPCMessage) =>
    "method" in message ? transport.onmessage?.(message) : queueMicrotask(() => transport.onmessage?.(message));
  const transport: OfProgram = {
    pid: null,
    stderr: null,
    async start() {
      const started = await start({
        onLine: (line) => {
          const message = messageOf(line);
          if (message) return deliver(message);
          junk++;
          if (junk <= 20) aside(`printed on standard output, where only messages belong: ${line.slice(0, 200)}`);
          if (junk > MAX_JUNK) talk?.close().catch(() => undefined); // the exit of the program is reported separately
          return undefined;
        },
        onOverlong: (line) => {
          aside(`skipped an answer of ${line.bytes} bytes`);
          const id = idOf(line);
          if (id === undefined) return;
          const message = `The answer has ${Math.round(line.bytes / 1_000_000)} MB, which is too large. Ask for less.`;
          transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: TOO_LONG, message } });
        },
        onStderr: aside,
        onEnd: (why) => {
          aside(why);
          talk = undefined;
          transport.onclose?.();
        },
      });
      if ("fault" in started) throw new Error(started.message);
      talk = started;
    },
    async send(message) {
      if (!talk) throw new Error("the server is not running");
      await talk.writeLine(JSON.stringify(message));
    },
    async close() {
      await talk?.close();
    },
  };
  return transport;
}

/** Parses a line as a JSON-RPC message. The SDK checks the rest. */
function messageOf(line: string): JSONRPCMessage | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  const value = parseJson(line);
  return isRecord(value) && value["jsonrpc"] === "2.0" ? (value as JSONRPCMessage) : undefined; // the protocol layer checks the other fields
}

/** The id of an answer that is too long. Baton's ids are numbers at the beginning or the end of the answer. */
function idOf({ head, tail }: Overlong): number | undefined {
  const found =
    /^\s*\{\s*("jsonrpc"\s*:\s*"2.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head)?.[2] ??
    /"id"\s*:\s*(\d+)\s*(,\s*"jsonrpc"\s*:\s*"2.0"\s*)?\}\s*$/.exec(tail)?.[1];
  return found === undefined ? undefined : Number(found);
}
