import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Overlong } from "../../system/commands/line-splitter.ts";
import type { StdioListener, StdioProcess } from "../../system/commands/stdio-process.ts";

/** Starts the program; gives why it could not be started. */
export type StartProcess = (heard: StdioListener) => Promise<StdioProcess | { fault: string; message: string }>;

/** What a server prints where only messages belong, and why it ended. */
export type OnStderr = (text: string) => void;

const TOO_LONG = -32_001;
/** So many lines that are no messages are put up with. */
const MAX_JUNK = 1_000;

/** What the SDK knows a program by: one that is silent at first is not taken for one that has failed. */
type OfProgram = Transport & { pid: null; stderr: null };

/**
 * Messages over a program's standard input and output. A line that is no message is noted and passed over; an answer that
 * is too long becomes a failure of its own call alone, whose id stands at one of its ends.
 */
export function stdioTransport(start: StartProcess, aside: OnStderr): Transport {
  let talk: StdioProcess | undefined;
  let junk = 0;
  /** The SDK hears notifications a moment later than answers, so the last progress before an answer would come too late. */
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
          if (junk <= 20) aside(`printed where only messages belong: ${line.slice(0, 200)}`);
          if (junk > MAX_JUNK) talk?.close().catch(() => undefined); // it says so itself when it has gone
          return undefined;
        },
        onOverlong: (line) => {
          aside(`an answer of ${line.bytes} bytes was not read`);
          const id = idOf(line);
          if (id === undefined) return;
          const message = `The answer has ${Math.round(line.bytes / 1_000_000)} MB, which is more than is read. Ask for less.`;
          transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: TOO_LONG, message } });
        },
        onSaid: aside,
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
      await talk.say(JSON.stringify(message));
    },
    async close() {
      await talk?.close();
    },
  };
  return transport;
}

/** A line that is a JSON-RPC message; the SDK looks at the rest. */
function messageOf(line: string): JSONRPCMessage | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const is = typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
    return is ? (value as JSONRPCMessage) : undefined; // what else there is the protocol layer checks
  } catch {
    return undefined;
  }
}

/** The id of an answer that was too long to be read: our ids are numbers, and stand at one of its ends. */
function idOf({ head, tail }: Overlong): number | undefined {
  const found =
    /^\s*\{\s*("jsonrpc"\s*:\s*"2.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head)?.[2] ??
    /"id"\s*:\s*(\d+)\s*(,\s*"jsonrpc"\s*:\s*"2.0"\s*)?\}\s*$/.exec(tail)?.[1];
  return found === undefined ? undefined : Number(found);
}
