import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest, type McpHttpHandler, type Server } from "@modelcontextprotocol/server";
import type { ProfileBackend } from "./shared-profile-state.ts";
import type { EndpointOptions } from "./endpoint-options.ts";
import { notifyListChanged } from "./notify-list-changed.ts";
import { createMcpServer } from "./server.ts";
import { withWatches } from "./watch-resources.ts";

export type OpenHttp = {
  answer: (backend: ProfileBackend, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  close: () => Promise<void>;
};

/** A session of the older protocol. It ends with its client, or after an hour without a request. */
type Session = { transport: NodeStreamableHTTPServerTransport; server: Server; usedAt: number; forget: () => void };

/** Both protocol versions over HTTP. The newer one is stateless; the older one has sessions, which receive notifications. */
type Handlers = { modern: McpHttpHandler; legacy: Map<string, Session>; updated: (uri: string) => void; close: () => void };

const MAX_SESSIONS = 64;
const EXPIRES_MS = 60 * 60_000;
const MAX_BODY = 4 * 1024 * 1024;

export function serveHttp(options: EndpointOptions): OpenHttp {
  const counters = new Map<ProfileBackend, Handlers>();
  const counterOf = (backend: ProfileBackend): Handlers => {
    const before = counters.get(backend);
    if (before) return before;
    const modern = createMcpHandler(() => createMcpServer(backend, options), { legacy: "reject", maxRequestBodySize: MAX_BODY });
    const forget = backend.onChange((what) => modern.notify[`${what}Changed`]());
    const updated = (uri: string) => modern.notify.resourceUpdated(uri);
    const counter: Handlers = { modern, legacy: new Map(), updated, close: forget };
    counters.set(backend, counter);
    return counter;
  };
  return {
    async answer(backend, request, response) {
      const counter = counterOf(backend);
      const body = request.method === "POST" ? await bodyOf(request, response) : undefined;
      if (body === TOO_LARGE) return;
      if (typeof body === "string") return refuse(response, 400, -32_700, "The body is not JSON.");
      const asked = await toWebRequest(request as NodeIncomingMessageLike, body, { maxRequestBodySize: MAX_BODY });
      if (await isLegacyRequest(asked, body)) return inSession(backend, counter, request, response, body, options);
      const { message, end } = await withWatches(body, backend, counter.updated);
      if (response.closed) return end(); // the client has disconnected
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
  backend: ProfileBackend,
  { legacy }: Handlers,
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
  if (id !== undefined) return refuse(response, 404, -32_001, "There is no such session. Start one with initialize.");
  if (!isInitialize(body)) return refuse(response, 400, -32_000, "Start a session with initialize, or use the newer protocol.");
  forgetOld(legacy);
  const server = createMcpServer(backend, options);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (made) => {
      const forget = backend.onChange((what) => notifyListChanged(server, what));
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

const isInitialize = (body: unknown): boolean =>
  [body]
    .flat()
    .some((message) => typeof message === "object" && message !== null && "method" in message && message.method === "initialize");

/** Ends expired sessions, and the oldest ones if there are too many. */
function forgetOld(legacy: Map<string, Session>): void {
  const oldest = [...legacy].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
  for (const [i, [id, { transport, forget, usedAt }]] of oldest.entries()) {
    if (legacy.size < MAX_SESSIONS && Date.now() - usedAt < EXPIRES_MS) return;
    if (i >= MAX_SESSIONS) return;
    forget();
    legacy.delete(id);
    transport.close().catch(() => undefined); // its client is gone
  }
}

const TOO_LARGE = Symbol("too large");

/** The body as JSON. Invalid JSON is returned as text, for the protocol to reject. */
async function bodyOf(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY) chunks.push(chunk); // the rest is read and discarded, so that the client gets the error
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
