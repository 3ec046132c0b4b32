import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiServices } from "../api-context.ts";
import { authenticate } from "./authenticate.ts";
import { serveStaticFile } from "./static-files.ts";

/** Serves plain HTTP: liveness, the page, and its login. Hosts and origins are checked as for the socket. */
export async function answerHttp(request: IncomingMessage, response: ServerResponse, port: number, served: ApiServices): Promise<void> {
  if (isEndpoint(request)) return answerEndpoint(request, response, port, served);
  const admission = authenticate(request, port, "");
  if (admission.admit === false && admission.status !== 401) return respondJson(response, admission.status, { error: admission.reason });
  const { method, url = "/" } = request;
  if (method === "GET" && url.startsWith("/oauth/callback?")) return loggedIn(request, response, served);
  if (method === "GET" && url === "/healthz") return alive(response, served);
  if (method === "POST" && url === "/login") {
    if (request.headers.origin === undefined) return respondJson(response, 403, { error: "Only the page can log in here." });
    return served.auth.login.answer(request, response);
  }
  if (method === "GET" && (await serveStaticFile(served.page, request, port, response))) return undefined;
  return respondJson(response, 404, { error: "There is nothing here." });
}

/** The browser returns here after a login at a server. The part that started the login checks the parameters. */
async function loggedIn({ url = "" }: IncomingMessage, response: ServerResponse, { mcp: { logins } }: ApiServices): Promise<void> {
  const ended = await logins.end(new URL(url, "http://127.0.0.1").searchParams);
  response.writeHead("server" in ended ? 200 : 400, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end("server" in ended ? `Baton is logged in to ${ended.server}. You can close this tab.` : ended.problem);
}

const isEndpoint = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/mcp/");

/** Other agents. Host and origin are checked first, then the profile checks its own token. */
async function answerEndpoint(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  { mcp: { endpoint } }: ApiServices,
): Promise<void> {
  const admission = authenticate(request, port, "");
  if (admission.admit === false && admission.status !== 401) return respondJson(response, 403, { error: admission.reason });
  const [, profile] = /^\/mcp\/([a-z0-9][a-z0-9-]{0,49})\/?$/.exec(new URL(request.url ?? "", "http://127.0.0.1").pathname) ?? [];
  if (profile === undefined) return respondJson(response, 404, { error: "There is no such profile." });
  return endpoint.http(profile, request, response);
}

/** Identifies the daemon, so that a client shows its token to the right one. Contains no secrets. */
function alive(response: ServerResponse, served: ApiServices): void {
  const { bootId, protocol, version } = served.daemon.status();
  respondJson(response, 200, { ok: true, bootId, protocol, version });
}

function respondJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "x-content-type-options": "nosniff", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
