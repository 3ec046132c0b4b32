import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";
import { anthropic } from "./support/wire/anthropic.ts";
import { chat } from "./support/wire/chat.ts";
import type { Format, WireReply } from "./support/wire/format.ts";
import { responses } from "./support/wire/responses.ts";
import { WireServer } from "./support/wire/server.ts";

const dialogue: WireReply[] = [
  {
    text: "I look.",
    calls: [
      { tool: "list_files", input: { path: "." } },
      { tool: "glob", input: { pattern: "*" } },
    ],
  },
  { text: "Done." },
];

/** Mistral counts in the piece that ends the answer; a piece without a choice is not in its format. */
const mistral: Format = { ...chat, streamOf: (reply, k) => chat.streamOf(reply, k).replace(/data: [^\n]*"choices":\[\][^\n]*\n\n/, "") };
test.each<[string, Format, Record<string, unknown>]>([
  ["mistral", mistral, {}],
  ["xai", responses, {}],
  ["azure", responses, { apiVersion: "v1" }],
  ["openai-chat", chat, {}],
])("%s: a turn with two calls at once", async (kind, format, more) => {
  await using server = await WireServer.start({ ...format, kind }, { replies: dialogue });
  await using daemon = await TestDaemon.start({
    config: { model: "p/gpt-5", providers: { p: { ...server.provider, ...more } } },
    env: { TEST_KEY: "k" },
  });
  using session = await daemon.session();
  await session.prompt("go");
  await session.untilEnd();
  expect(server.violations).toEqual([]);
  expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
});

test("bedrock signs its request for the region of the config, and a refusal is read", async () => {
  await using server = await WireServer.start(
    { ...anthropic, kind: "bedrock", base: "", faultsOf: () => [], repliesIn: () => 0 },
    {
      replies: [],
      fault: () => ({ status: 403, body: '{"message":"The security token included in the request is invalid."}' }),
    },
  );
  await using daemon = await TestDaemon.start({
    config: { model: "p/anthropic.claude-x", providers: { p: { kind: "bedrock", baseUrl: server.url, region: "eu-north-1" } } },
    env: { AWS_ACCESS_KEY_ID: "AKIATEST", AWS_SECRET_ACCESS_KEY: "canary" },
  });
  using session = await daemon.session();
  await session.prompt("go");
  await session.untilEnd();
  expect(server.seen[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/eu-north-1\/bedrock\/aws4_request/);
  expect(session.events.at(-1)).toMatchObject({ reason: "failed", message: expect.stringContaining("security token included") as unknown });
});
