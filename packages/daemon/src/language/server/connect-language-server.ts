import type { DataCallback, MessageConnection } from "vscode-jsonrpc/node";
import type { StdioListener, StdioProcess } from "../../system/commands/stdio-process.ts";
import type { SystemFault } from "../../system/system-fault.ts";
import { splitFrames } from "./message-frames.ts";

/** Starts the program of a language server. */
export type StartProgram = (listener: StdioListener) => Promise<StdioProcess | SystemFault>;

type Connection = { rpc: MessageConnection; process: StdioProcess };

type ConnectionListener = {
  /** Output that is not a message, or an error message of the protocol. */
  onNoise: (text: string) => void;
  onEnd: (why: string) => void;
};

/** Servers that print more than this beside their messages are stopped. */
const MAX_NOISE = 4 * 1024 * 1024;

/** Starts a server and connects to its standard input and output. Throws with the reason if it does not start. */
export async function connectLanguageServer(start: StartProgram, { onNoise, onEnd }: ConnectionListener): Promise<Connection> {
  const { createMessageConnection, AbstractMessageReader, AbstractMessageWriter } = await import("vscode-jsonrpc/node");
  let take: DataCallback = () => undefined;
  let noise = 0;
  const frames = splitFrames({
    onMessage: (message) => take(message as Parameters<DataCallback>[0]), // the connection checks its kind
    onNoise: (text) => {
      noise += text.length;
      onNoise(text);
      if (noise > MAX_NOISE && !("fault" in started)) started.close().catch(() => undefined); // its end is reported separately
    },
  });
  const started = await start({
    onBytes: frames,
    onStderr: () => undefined, // servers log there; a crash is reported with its exit code
    onEnd: (why) => {
      rpc.dispose();
      onEnd(why);
    },
  });
  if ("fault" in started) throw new Error(started.message);

  const reader = new (class extends AbstractMessageReader {
    listen(callback: DataCallback) {
      take = callback;
      return { dispose: () => void (take = () => undefined) };
    }
  })();
  const writer = new (class extends AbstractMessageWriter {
    write(message: object): Promise<void> {
      const text = JSON.stringify(message);
      return started.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    }
    end(): void {}
  })();
  const rpc = createMessageConnection(reader, writer);
  rpc.onError(([error]) => onNoise(error.message));
  return { rpc, process: started };
}
