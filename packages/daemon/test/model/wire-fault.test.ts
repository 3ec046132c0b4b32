import { afterAll, describe, expect, test } from "vitest";
import { streamOf, type Format, type WireReply } from "../support/wire/format.ts";
import { formats } from "../support/wire/index.ts";
import { ask, modelAt } from "../support/wire/model-at.ts";
import { WireServer, type WireFault } from "../support/wire/server.ts";

const reply: WireReply = {
  reasoning: "First I look around, with both eyes.",
  text: "I look.",
  calls: [
    { tool: "list_files", input: { path: "." } },
    { tool: "list_files", input: { path: "a" } },
  ],
};

const servers = await Promise.all(formats.map((format) => WireServer.start(format, { replies: [reply] })));
afterAll(() => Promise.all(servers.map((each) => each[Symbol.asyncDispose]())));

/** The result of one request that meets a fault. */
async function failureOf(format: Format, fault: WireFault, timeoutMs?: number) {
  const server = servers.find((each) => each.format === format);
  if (!server) throw new Error(`there is no server for ${format.kind}`);
  server.begin({ replies: [reply], fault: () => fault });
  const answer = await ask(await modelAt(server, timeoutMs));
  expect(server.violations).toEqual([]);
  expect(server.seen).toHaveLength(1);
  if (!("failed" in answer)) throw new Error(`it answered: ${JSON.stringify(answer)}`);
  expect(answer.failed.message).not.toMatch(/[{}]|canary/);
  return answer.failed;
}

/** A fault for a stream of this length in bytes. */
type At = (whole: number) => WireFault;
const at = (format: Format, fault: At): WireFault => fault(streamOf(format, reply, 0).length);

describe.each(formats)("$kind", (format) => {
  test.each<[string, At]>([
    ["is cut in the middle", (whole) => ({ cutAfter: whole * 0.6 })],
    ["ends cleanly before its end", (whole) => ({ cutAfter: whole * 0.8, clean: true })],
    ["becomes nonsense", (whole) => ({ after: whole / 2, add: "data: {nonsense\n\n" })],
    ["is a page of a proxy", () => ({ instead: "<html>Bad gateway</html>" })],
  ])("a stream that %s is not a reply", async (_, fault) => {
    expect((await failureOf(format, at(format, fault))).code).toMatch(/^(cut|unreachable)$/);
  });

  test.each<[string, At]>([
    ["falls silent", (whole) => ({ hangAfter: whole * 0.7 })],
    ["sends only keep-alives", () => ({ hangAfter: 0, keepAlive: true })],
  ])("a stream that %s is cancelled after a while", async (_, fault) => {
    expect((await failureOf(format, at(format, fault), 600)).code).toBe("timeout");
  });

  test.each([
    [400, "bad_request"],
    [401, "unauthorized"],
    [403, "unauthorized"],
    [404, "not_found"],
    [429, "rate_limited"],
    [529, "overloaded"],
  ])("Baton reads the sentence of a refusal with %i, and the wait that it asks for", async (status, code) => {
    const message = "This is no way to ask, sk-secret-canary";
    const failed = await failureOf(format, { status, message, headers: { "retry-after-ms": "30" } });
    expect(failed).toMatchObject({ code, retryAfterMs: 30 });
    expect(failed.message).toContain("This is no way to ask, [key]");
  });
});
