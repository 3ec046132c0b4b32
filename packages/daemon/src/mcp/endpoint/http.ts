import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest, type McpHttpHandler, type Server } from "@modelcontextprotocol/server";
import type { ProfileBackend } from "./profile-backend.ts";
import type { EndpointOptions } from "./endpoint-options.ts";
import { notifyListChanged } from "./list-changed.ts";
import { makeServer } from "./server.ts";
import { withWatches } from "./listening.ts";

export type OpenHttp = {
  answer: (desk: ProfileBackend, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  close: () => Promise<void>;
};

/** A session of the older protocol: it lives as long as its client keeps it, or comes back to it within the hour. */
type Session = { transport: NodeStreamableHTTPServerTransport; server: Server; usedAt: number; forget: () => void };

/** Both eras over HTTP: the newer one request by request, the older one in sessions, which can be told of changes. */
type Counter = { modern: McpHttpHandler; legacy: Map<string, Session>; updated: (uri: string) => void; close: () => void };

const MAX_SESSIONS = 64;
const KEPT_MS = 60 * 60_000;
const MAX_BODY = 4 * 1024 * 1024;

export function openHttp(options: EndpointOptions): OpenHttp {
  const counters = new Map<ProfileBackend, Counter>();
  const counterOf = (desk: ProfileBackend): Counter => {
    const before = counters.get(desk);
    if (before) return before;
    const modern = createMcpHandler(() => makeServer(desk, options), { legacy: "reject", maxRequestBodySize: MAX_BODY });
    const forget = desk.onChange((what) => modern.notify[`${what}Changed`]());
    const updated = (uri: string) => modern.notify.resourceUpdated(uri);
    const counter: Counter = { modern, legacy: new Map(), updated, close: forget };
    counters.set(desk, counter);
    return counter;
  };
  return {
    async answer(desk, request, response) {
      const counter = counterOf(desk);
      const body = request.method === "POST" ? await bodyOf(request, response) : undefined;
      if (body === TOO_LARGE) return;
      if (typeof body === "string") return refuse(response, 400, -32_700, "The body is no JSON.");
      const asked = await toWebRequest(request as NodeIncomingMessageLike, body, { maxRequestBodySize: MAX_BODY });
      if (await isLegacyRequest(asked, body)) return inSession(desk, counter, request, response, body, options);
      const { message, end } = await withWatches(body, desk, counter.updated);
      if (response.closed) return end(); // the client did not wait
      response.once("close", end);
      await toNodeHandler(counter.modern, { onerror: (error) => options.report("the MCP endpoint failed", error) })(
        request as NodeIncomingMessageLike,
        response,
        message,
      );
    },
    async close() {
      for (const { modern, legacy, close } of counters.values()) {
        close();
        await modern.close();
        for (const session of legacy.values()) await session.transport.close();
      }
      counters.clear();
    },
  };
}

async function inSession(
  desk: ProfileBackend,
  { legacy }: Counter,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
  options: EndpointOptions,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  const known = typeof id === "string" ? legacy.get(id) : undefined;
  if (known) {
    known.usedAt = Date.now();
    return known.transport.handleRequest(request, response, body);
  }
  if (id !== undefined) return refuse(response, 404, -32_001, "There is no such session. Begin one with initialize.");
  if (!begins(body)) return refuse(response, 400, -32_000, "Begin a session with initialize, or speak the newer protocol.");
  forgetOld(legacy);
  const server = makeServer(desk, options);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (made) => {
      const forget = desk.onChange((what) => notifyListChanged(server, what));
      legacy.set(made, { transport, server, usedAt: Date.now(), forget });
    },
    onsessionclosed: (made) => {
      legacy.get(made)?.forget();
      legacy.delete(made);
    },
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}

const begins = (body: unknown): boolean =>
  [body]
    .flat()
    .some((message) => typeof message === "object" && message !== null && "method" in message && message.method === "initialize");

/** The oldest sessions make room, and those that nobody came back to. */
function forgetOld(legacy: Map<string, Session>): void {
  const oldest = [...legacy].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
  for (const [i, [id, { transport, forget, usedAt }]] of oldest.entries()) {
    if (legacy.size < MAX_SESSIONS && Date.now() - usedAt < KEPT_MS) return;
    if (i >= MAX_SESSIONS) return;
    forget();
    legacy.delete(id);
    transport.close().catch(() => undefined); // its client is gone
  }
}

const TOO_LARGE = Symbol("too large");

/** The body as JSON; text that is none is handed on as it is, for the protocol to refuse. */
async function bodyOf(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY) chunks.push(chunk); // what is too large is read and thrown away, so that the client hears why
  }
  if (length > MAX_BODY) {
    refuse(response, 413, -32_600, "The request is larger than 4 MB.");
    return TOO_LARGE;
  }
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }));
}
