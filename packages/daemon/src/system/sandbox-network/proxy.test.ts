import { createServer as createHttp } from "node:http";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isPublicAddress } from "../../permission/address.ts";
import { dial } from "./dial.ts";
import { serveProxy } from "./proxy.ts";
import { resourceOfTarget, type NetworkTarget } from "./network-target.ts";
import { upstreamOf } from "./upstream-proxy.ts";

const web = createHttp((request, response) => response.end(`web saw ${request.method} ${request.url} for ${request.headers.host}`));
web.on("upgrade", (_, socket: Socket, head: Buffer) => {
  socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  socket.write(head);
  socket.pipe(socket);
});
const echo = createServer({ allowHalfOpen: true }, (socket) => socket.on("error", () => undefined).pipe(socket));
const listener = createServer({ allowHalfOpen: true });
const reached: string[] = [];
let end: () => void;

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => void server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
let [webPort, echoPort, proxyPort] = [0, 0, 0];

/** Every good host leads to the local servers. Other hosts are refused as the gate would. */
const reach = async (target: NetworkTarget) => {
  if (!/^good\d*\.test$/.test(target.host)) return { refused: `refused ${resourceOfTarget(target)}` };
  reached.push(resourceOfTarget(target));
  return dial(
    target,
    { mayReach: () => true, upstreamFor: () => undefined, resolve: async () => ["127.0.0.1"] },
    new AbortController().signal,
  );
};

beforeAll(async () => {
  [webPort, echoPort, proxyPort] = [await listening(web), await listening(echo), await listening(listener)];
  end = await serveProxy(listener, reach);
});

afterAll(() => {
  end();
  web.close();
  web.closeAllConnections();
  echo.close();
});

/** Everything that the proxy answers to these bytes. `halfClosed`: the client closes its direction after them. */
async function answerTo(bytes: string | Buffer, halfClosed = true): Promise<Buffer> {
  const socket = connect({ port: proxyPort, host: "127.0.0.1", allowHalfOpen: true });
  if (halfClosed) socket.end(bytes);
  else socket.write(bytes);
  return buffer(socket).catch(() => Buffer.alloc(0));
}

const http = async (head: string, halfClosed = true): Promise<string> => (await answerTo(`${head}\r\n\r\n`, halfClosed)).toString("latin1");

test("a plain request goes to the host of its address, whatever its header names", async () => {
  for (const header of ["evil.test", "127.0.0.1", `good.test:${webPort}`, ""]) {
    const answer = await http(`GET http://good.test:${webPort}/a?b HTTP/1.1\r\nHost: ${header}`, false);
    expect(answer).toContain(`web saw GET /a?b for good.test:${webPort}`);
  }
});

const refusedHeads = (): [string, string][] => [
  ["another host", "GET http://evil.test/ HTTP/1.1\r\nHost: good.test"],
  ["a user name in the address", `GET http://good.test@evil.test/ HTTP/1.1\r\nHost: good.test`],
  ["an address without a host", "GET / HTTP/1.1\r\nHost: good.test"],
  ["another scheme", "GET https://good.test/ HTTP/1.1\r\nHost: good.test"],
  ["a file", "GET file:///etc/passwd HTTP/1.1\r\nHost: good.test"],
  ["CONNECT to another host", "CONNECT evil.test:443 HTTP/1.1\r\nHost: good.test:443"],
  ["CONNECT without a port", "CONNECT good.test HTTP/1.1\r\nHost: good.test"],
  ["CONNECT to an address", "CONNECT http://good.test/ HTTP/1.1\r\nHost: good.test"],
  ["CONNECT to IPv6", "CONNECT [::ffff:127.0.0.1]:443 HTTP/1.1\r\nHost: good.test"],
  ["two lengths", `POST http://good.test:${webPort}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked`],
  ["two different lengths", `POST http://good.test:${webPort}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5`],
  ["a blank before the colon", `GET http://good.test:${webPort}/ HTTP/1.1\r\nHost : a`],
  ["huge headers", `GET http://good.test:${webPort}/ HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}`],
  ["an upgrade to another host", "GET http://evil.test/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket"],
  ["no HTTP", "hello"],
  ["binary", "\x00\x01\x02\xff\xfe"],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00"],
];

test.each(refusedHeads().map(([name], i) => [name, i] as const))("%s reaches nothing", async (_, i) => {
  reached.length = 0;
  const answer = await http(refusedHeads()[i]?.[1] ?? "");
  expect(answer === "" || /^HTTP\/1\.1 (4\d\d|502)/.test(answer)).toBe(true);
  expect(reached).toEqual([]);
});

test("a second request behind the first one is not served", async () => {
  const one = (host: string) => `GET http://${host}:${webPort}/ HTTP/1.1\r\nHost: a\r\n\r\n`;
  const answer = (await answerTo(one("good.test") + one("good2.test"), false)).toString();
  expect(answer.match(/web saw/g)).toHaveLength(1);
});

test("a tunnel passes all bytes, and the end of one direction leaves the other open", async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 256));
  const head = Buffer.from(`CONNECT good.test:${echoPort} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const answer = await answerTo(Buffer.concat([head, bytes]));
  const start = answer.indexOf("\r\n\r\n") + 4;
  expect(answer.toString("latin1", 0, start)).toMatch(/^HTTP\/1\.1 200/);
  expect(answer.subarray(start).equals(bytes)).toBe(true);
});

test("an upgraded connection passes bytes in both directions", async () => {
  const head = `GET http://good.test:${webPort}/ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello`;
  expect((await answerTo(head)).toString()).toMatch(/^HTTP\/1\.1 101 [\s\S]*hello$/);
});

const socks5 = (kind: number, host: Buffer, port: number): Buffer =>
  Buffer.concat([Buffer.from([5, 1, 0, 5, 1, 0, kind]), host, Buffer.from([port >> 8, port & 255])]);
const named = (host: string): Buffer => Buffer.concat([Buffer.from([host.length]), Buffer.from(host, "latin1")]);

test("SOCKS 5 and 4a connect by name, and refuse what the gate refuses", async () => {
  const reply = async (bytes: Buffer) => [...(await answerTo(bytes))];
  const good = socks5(3, named("good.test"), echoPort);
  expect((await reply(Buffer.concat([good, Buffer.from("hi")]))).slice(0, 4)).toEqual([5, 0, 5, 0]);
  const others = [
    socks5(3, named("evil.test"), 80),
    socks5(3, named("user@good.test"), 80),
    socks5(3, named(""), 80),
    socks5(1, Buffer.from([127, 0, 0, 1]), 80),
    socks5(4, Buffer.concat([Buffer.alloc(15), Buffer.from([1])]), 80),
    socks5(3, named("good.test"), 0),
  ];
  for (const bytes of others) expect((await reply(bytes)).slice(0, 4)).toEqual([5, 0, 5, 2]);
  const text = (host: string) => Buffer.from(`user\0${host}\0`);
  const four = (host: string) => Buffer.concat([Buffer.from([4, 1, echoPort >> 8, echoPort & 255, 0, 0, 0, 1]), text(host)]);
  expect((await reply(four("good.test"))).slice(0, 2)).toEqual([0, 90]);
  expect((await reply(four("evil.test"))).slice(0, 2)).toEqual([0, 91]);
  for (const bytes of [[5], [5, 0], [5, 1, 2], [5, 1, 0, 5, 3, 0, 1, 1, 1, 1, 1, 0, 80], [4], [4, 2]])
    expect((await reply(Buffer.from(bytes))).slice(0, 4)).not.toEqual([5, 0, 5, 0]);
});

test("of a thousand connections at once each is served or refused, and later ones are served", async () => {
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => http("CONNECT evil.test:443 HTTP/1.1\r\nHost: a")));
  expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toSatisfy((heads: Set<string>) =>
    [...heads].every((head) => ["HTTP/1.1 403", "HTTP/1.1 503", ""].includes(head)),
  );
  expect(await http("CONNECT evil.test:443 HTTP/1.1\r\nHost: a")).toContain("HTTP/1.1 403");
});

const signal = new AbortController().signal;
const PRIVATE =
  "127.0.0.1 127.8.9.1 0.0.0.0 10.0.0.1 172.16.3.4 192.168.1.1 169.254.169.254 100.64.0.1 168.63.129.16 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fd00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1::".split(
    " ",
  );

test.each(PRIVATE)("a name with the address %s is refused, alone and beside a public one", async (address) => {
  for (const found of [[address], ["93.184.216.34", address], [address, "93.184.216.34"]]) {
    const options = { mayReach: isPublicAddress, upstreamFor: () => undefined, resolve: async () => found };
    expect(await dial({ host: "good.test", port: 443 }, options, signal)).toHaveProperty("refused");
  }
  const literal = { mayReach: isPublicAddress, upstreamFor: () => undefined };
  expect(await dial({ host: address, port: 443 }, literal, signal)).toHaveProperty("refused");
});

test("a name is resolved once, so a second answer leads nowhere", async () => {
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  const resolve = async () => answers.shift() ?? [];
  const dialed = await dial(
    { host: "good.test", port: webPort },
    { mayReach: (to) => to === "127.0.0.1", upstreamFor: () => undefined, resolve },
    signal,
  );
  expect("socket" in dialed && dialed.socket.remoteAddress).toBe("127.0.0.1");
  if ("socket" in dialed) dialed.socket.destroy();
  expect(answers).toHaveLength(1);
});

test("the proxy of the user is used for each host that it is meant for", () => {
  const of = upstreamOf({ HTTPS_PROXY: "http://p:3128", http_proxy: "q:8080", NO_PROXY: "direct.test,.inner.test, only.test:81" });
  const via = (host: string, port: number) => of({ host, port })?.host;
  expect([via("a.test", 443), via("a.test", 80), via("a.test", 22)]).toEqual(["p:3128", "q:8080", "p:3128"]);
  expect([via("direct.test", 443), via("a.direct.test", 443), via("x.inner.test", 80), via("only.test", 81)]).toEqual(
    Array(4).fill(undefined),
  );
  expect([via("notdirect.test", 443), via("only.test", 443)]).toEqual(["p:3128", "p:3128"]);
  expect(upstreamOf({ HTTPS_PROXY: "socks5://p:1" })({ host: "a.test", port: 443 })).toBeUndefined();
  expect(upstreamOf({})({ host: "a.test", port: 443 })).toBeUndefined();
});
