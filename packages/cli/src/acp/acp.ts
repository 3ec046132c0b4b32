import { followInbox } from "@baton/core/client/follow-lists";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { createAgent } from "./agent.ts";
import { openDaemonConnection, type DaemonConnection } from "../connection/daemon-connection.ts";

/** The library's own limit would end the connection, and all sessions of the editor with it. What is too large for the daemon is refused. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * The Agent Client Protocol (v1) on standard input and output, for editors that speak it. Nothing else is printed there.
 * It ends with its input; what the agent works at goes on in the daemon.
 */
export async function acp(): Promise<void> {
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
      onState: (state) => state === "stopped" && agent.fail("The daemon was stopped. It starts with your next request."),
    });
    followInbox(there.api, (items) => agent.requests(items));
    return there;
  };
  const agent = createAgent(linked);
  linked().catch(() => undefined); // a client is told when it wants something

  const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>, {
    maxMessageBytes: MAX_BYTES,
  });
  await agent.app.connect(stream).closed;
  await (await link?.catch(() => undefined))?.close();
}
