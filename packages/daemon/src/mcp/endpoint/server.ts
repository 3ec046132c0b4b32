import { Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Desk } from "./desk.ts";
import type { EndpointOptions } from "./options.ts";

const INSTRUCTIONS =
  "Baton lends you the tools of a person's MCP servers. Which of them are here is chosen by toolsets: list-available-tools shows all, build-toolset keeps a selection, equip-toolset brings its tools. Some calls wait until the person has allowed them; a refusal is an answer.";

const REMIND_MS = 10_000;

/** A server of the protocol before a desk: cheap to make, as one is made for each request over HTTP. */
export function makeServer(desk: Desk, { identity }: Pick<EndpointOptions, "identity">): Server {
  const server = new Server(
    { name: "baton", title: "Baton", version: `${identity.version}+${identity.instance}` },
    { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: desk.tools() }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    let reminding: NodeJS.Timeout | undefined;
    try {
      return await desk.call({
        tool: params.name,
        input: params.arguments ?? {},
        by: { person: nameOf(server, context) },
        signal: context.mcpReq.signal,
        onWaiting: () => (reminding = remind(context)),
      });
    } finally {
      clearInterval(reminding);
    }
  });
  return server;
}

/** Who calls, as a word that cannot mislead. */
function nameOf(server: Server, { mcpReq }: ServerContext): string {
  const envelope = mcpReq.envelope as Record<string, { name?: unknown } | undefined> | undefined; // nobody has checked what it says
  const told = envelope?.["io.modelcontextprotocol/clientInfo"];
  const name = typeof told?.name === "string" ? told.name : (server.getClientVersion()?.name ?? "");
  return `mcp ${name.replaceAll(/[^A-Za-z0-9 ._-]/g, "").slice(0, 40) || "client"}`;
}

/** Tells a client that listens for progress that a person is asked, now and then, so that it does not give up. */
function remind(context: ServerContext): NodeJS.Timeout | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let count = 0;
  const say = () => {
    const params = { progressToken, progress: ++count, message: "Waits for the person, in Baton's inbox." };
    context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // a client that is gone needs no reminder
  };
  say();
  return setInterval(say, REMIND_MS);
}
