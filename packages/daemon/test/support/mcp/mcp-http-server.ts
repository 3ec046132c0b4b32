import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** A server over HTTP in the newer protocol, which can require a login at its own authorization server. */
export class HttpServer implements AsyncDisposable {
  readonly url: string;
  readonly logins: string[] = [];
  /** The tokens that it received. */
  readonly shown = new Set<string>();
  readonly #server;

  private constructor(server: ReturnType<typeof createServer>, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start({ login = false } = {}): Promise<HttpServer> {
    const handler = createMcpHandler(makeServer);
    const answer = toNodeHandler(handler);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const started = new HttpServer(server, `${origin}/mcp`);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(request.url ?? "", origin);
      if (pathname === "/mcp") {
        if (request.headers.authorization !== undefined) started.shown.add(request.headers.authorization);
        if (login && request.headers.authorization !== "Bearer let-me-in") {
          response
            .writeHead(401, { "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` })
            .end();
          return;
        }
        answer(request as never, response).catch(() => response.destroy());
        return;
      }
      started.#authorize(pathname, searchParams, origin, request, response);
    });
    return started;
  }

  #authorize(pathname: string, query: URLSearchParams, origin: string, request: IncomingMessage, response: ServerResponse): void {
    const say = (body: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        say({ resource: this.url, authorization_servers: [origin] });
        return;
      case "/.well-known/oauth-authorization-server":
        say({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
        });
        return;
      case "/register": {
        let body = "";
        request.on("data", (chunk: Buffer) => (body += chunk.toString()));
        request.on("end", () => say({ ...(JSON.parse(body) as object), client_id: "baton-test" }, 201));
        return;
      }
      case "/authorize": {
        this.logins.push(query.get("client_id") ?? "");
        const back = new URL(query.get("redirect_uri") ?? "");
        back.search = new URLSearchParams({ code: "one-time", state: query.get("state") ?? "", iss: origin }).toString();
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case "/token":
        request.resume();
        say({ access_token: "let-me-in", token_type: "Bearer", expires_in: 3600 });
        return;
      default:
        response.writeHead(404).end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

function makeServer(): McpServer {
  const server = new McpServer({ name: "http-fixture", version: "1" });
  server.registerTool("echo", { description: "Says it again.", inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  server.registerTool("huge", { description: "Answers with 20 MB.", inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "x".repeat(20_000_000) }],
  }));
  server.registerResource("note", "note://one", { description: "A note." }, (uri) => ({
    contents: [{ uri: uri.href, text: "what the note says" }],
  }));
  server.registerPrompt("greet", { description: "Greets.", argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Greet ${name}.` } }],
  }));
  return server;
}
