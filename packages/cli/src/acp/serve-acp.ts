import { followInbox } from "@baton/core/client/follow-lists";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { createAgent } from "./agent.ts";
import { openDaemonConnection, type DaemonConnection } from "../connection/daemon-connection.ts";

/**
 * A message above the library's own limit would end the connection with all sessions of the editor. The daemon refuses
 * large messages itself.
 */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * Speaks the Agent Client Protocol (v1) on standard input and output, and prints nothing else there. It ends when its input
 * ends; running turns continue in the daemon.
 */
export async function serveAcp(): Promise<void> {
  let link: Promise<DaemonConnection> | undefined;
  const linked = async (): Promise<DaemonConnection> => {
    link ??= opened();
    const there = await link.catch((error: unknown) => {
      link = undefined; // the next request tries again
      throw error;
    });
    if (there.state() === "stopped") await there.revive();
    return there;
  };
  const opened = async (): Promise<DaemonConnection> => {
    const there = await openDaemonConnection({
      client: "acp",
      onState: (state) => state === "stopped" && agent.fail("The daemon was stopped. Your next request starts it."),
    });
    followInbox(there.api, (items) => agent.requests(items));
    return there;
  };
  const agent = createAgent(linked);
  linked().catch(() => undefined); // a request of the client reports the error

  const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>, {
    maxMessageBytes: MAX_BYTES,
  });
  await agent.app.connect(stream).closed;
  await (await link?.catch(() => undefined))?.close();
}
