import type { ClientRequest, IncomingMessage, RequestOptions, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { duplexPair, type Duplex } from "node:stream";
import { connect as connectTls, TLSSocket, type SecureContext } from "node:tls";
import { authorityOf, resourceOfTarget, type NetworkTarget } from "../network-target.ts";
import { endToEndHeaders, headerPairs } from "../headers.ts";
import { maskStream } from "./mask-stream.ts";
import type { SecretSubstitution } from "./placeholders.ts";
import { trustedCertificates } from "./trusted-certificates.ts";

export type FillOptions = { target: NetworkTarget; context: SecureContext; exchange: SecretSubstitution };

const KEEP_ALIVE_MS = 60_000;

/**
 * Opens TLS between a program and a host, and fills in the secrets. `socket`: the connection to the host. Returns the connection for the
 * program. The host must prove its name, the header `Host` always names it, and a secret is only filled into headers. If an answer repeats a
 * secret, the program gets the placeholder.
 */
export async function fillSecrets(socket: Duplex, { target, context, exchange }: FillOptions): Promise<Duplex> {
  const { createServer, request: send, Agent } = await import("node:http");
  const [outside, inside] = duplexPair();
  const program = new TLSSocket(inside, { isServer: true, secureContext: context, ALPNProtocols: ["http/1.1"] });
  const host = connectTls({
    socket,
    ...(isIP(target.host) === 0 ? { servername: target.host } : { host: target.host }),
    ALPNProtocols: ["http/1.1"],
    ca: trustedCertificates(),
  });
  const sides = [outside, inside, program, host, socket];
  const end = () => sides.forEach((side) => side.destroy());
  for (const side of [outside, inside, program, socket]) side.on("error", () => undefined); // the close follows
  for (const side of [outside, program]) side.once("close", end);
  let problem = "it closed the connection";
  host.on("error", (error: Error) => (problem = error.message));
  const requests = { running: 0, ended: 0 };
  /** After the last answer, the program's connection ends with that of the host. */
  const endIfIdle = () => requests.running === 0 && requests.ended > 0 && (host.destroyed || host.readableEnded) && program.end();
  for (const event of ["end", "close"]) host.once(event, endIfIdle);
  const unusable = (why: string) => `Baton: ${resourceOfTarget(target)} could not be used: ${why}.`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => host;
  const server = createServer({ insecureHTTPParser: false, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 });
  const outgoing = ({ method, url = "", rawHeaders, headers }: IncomingMessage, kept: readonly string[]) => {
    const filled = endToEndHeaders({ rawHeaders, headers })
      .filter(([name]) => name.toLowerCase() !== "accept-encoding")
      .map(([name, value]): [string, string] => [name, exchange.fill(value)]);
    // Only a plain body can be searched for secrets.
    const all = [...filled, ["Host", authorityOf(target, 443)], ["Accept-Encoding", "identity"]].flat();
    return { agent, method, path: url, headers: [...all, ...kept], setHost: false } as RequestOptions;
  };
  server.on("request", (request, response) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return respond(response, 400, refusal);
    if (host.destroyed) return respond(response, 502, unusable(problem));
    const sent = send(outgoing(request, []));
    sent.on("response", (incoming) => pass(request, incoming, response, exchange));
    sent.on("error", (error) => respond(response, 502, unusable(error.message)));
    requests.running++;
    response.once("close", () => {
      requests.running--;
      requests.ended++;
      if (!response.writableFinished) end();
      else endIfIdle();
    });
    request.pipe(sent);
  });
  server.on("upgrade", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (refusalOf(request) !== undefined || host.destroyed) return end();
    const sent: ClientRequest = send(outgoing(request, ["Connection", "Upgrade", "Upgrade", request.headers.upgrade ?? ""]));
    sent.on("upgrade", (incoming, upgraded, first) => {
      client.write(Buffer.concat([Buffer.from(headOf(incoming), "latin1"), first]));
      if (head.length > 0) upgraded.write(head);
      client.pipe(upgraded).pipe(client);
    });
    sent.on("response", end); // the host did not accept it
    sent.on("error", end);
    sent.end();
  });
  server.on("clientError", end);
  server.emit("connection", program);
  return outside;
}

/** A host repeats the headers of TRACE in its answer, and an address with a host could lead elsewhere. */
function refusalOf({ method, url = "" }: IncomingMessage): string | undefined {
  if (method === "TRACE") return "Baton: TRACE is not allowed here, because the answer repeats secrets.";
  return url.startsWith("/") || url === "*" ? undefined : "Baton: the address of this request must be a path.";
}

function pass(request: IncomingMessage, incoming: IncomingMessage, response: ServerResponse, exchange: SecretSubstitution): void {
  const status = incoming.statusCode ?? 502;
  const hasBody = request.method !== "HEAD" && status !== 204 && status !== 304;
  const isPlain = /^(identity)?$/i.test(incoming.headers["content-encoding"] ?? "");
  const mask = maskText(exchange);
  const headers = endToEndHeaders(incoming)
    .filter(([name]) => !hasBody || !isPlain || name.toLowerCase() !== "content-length") // the mask may change it
    .flatMap(([name, value]) => [name, mask(value)]);
  response.writeHead(status, incoming.statusMessage, headers);
  incoming.on("error", () => response.destroy());
  if (!hasBody) {
    incoming.resume();
    response.end();
  } else if (isPlain) incoming.pipe(maskStream(exchange)).pipe(response);
  else incoming.pipe(response);
}

const maskText =
  ({ pairs }: SecretSubstitution) =>
  (text: string): string =>
    pairs.reduce((all, { value, placeholder }) => all.replaceAll(value, placeholder), text);

const headOf = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string =>
  [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...headerPairs(rawHeaders).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");

function respond(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-type": "text/plain", connection: "close" });
  response.end(`${text}\n`);
}
