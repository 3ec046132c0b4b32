import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { isSigned } from "../support/wire/aws-signature.ts";
import { bedrock } from "../support/wire/bedrock.ts";
import { chat } from "../support/wire/chat.ts";
import type { Format, WireReply } from "../support/wire/format.ts";
import { keys } from "../support/wire/index.ts";
import { responses } from "../support/wire/responses.ts";
import { WireServer } from "../support/wire/server.ts";

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

/**
 * Mistral sends the counts in the piece that ends the answer, and a piece without a choice is not in its format. Images are plain
 * addresses, and no prompt may follow a result directly.
 */
const mistral: Format = {
  ...chat,
  eventsOf: (reply, k) => chat.eventsOf(reply, k).filter((each) => typeof each === "string" && !each.includes('"choices":[]')),
  repliesIn: (body) => chat.repliesIn(asChat(body)),
  faultsOf: (body, replies) => [...chat.faultsOf(asChat(body), replies), ...orderFaults(body)],
};
const asChat = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === "image_url" && typeof value === "string" ? { url: value } : value));
const orderFaults = (body: unknown): string[] =>
  /"role":"tool"[^{}]*\},\{"role":"user"/.test(JSON.stringify(body)) ? ["Unexpected role 'user' after role 'tool'"] : [];
const tried: [string, Format, Record<string, unknown>][] = [
  ["mistral", mistral, {}],
  ["xai", responses, {}],
  ["azure", responses, { apiVersion: "v1" }],
  ["openai-chat", chat, {}],
];
const refuses = await WireServer.start(bedrock, {
  replies: [],
  fault: () => ({ status: 403, body: '{"message":"The security token included in the request is invalid."}' }),
});
const servers = await Promise.all(tried.map(([kind, format]) => WireServer.start({ ...format, kind }, { replies: dialogue })));
const daemon = await TestDaemon.start({
  config: {
    providers: {
      ...Object.fromEntries(tried.map(([kind, , more], i) => [kind, { ...servers[i]?.provider, ...more }])),
      bedrock: refuses.provider,
    },
  },
  env: keys,
});
afterAll(() => Promise.all([daemon, refuses, ...servers].map((each) => each[Symbol.asyncDispose]())));

test.each(tried)("%s: a turn with two calls at once works", async (kind) => {
  using session = await daemon.session({ model: `${kind}/gpt-5` });
  await session.runTurn("go");
  expect(servers.find(({ format }) => format.kind === kind)?.violations).toEqual([]);
  expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
});

test("mistral: between a result and its image, the conversation has a message of the model", async () => {
  const server = servers.find(({ format }) => format.kind === "mistral") as WireServer;
  const png = Buffer.from("89504e470d0a1a0a00", "hex");
  writeFileSync(path.join(daemon.workspace, "shot.png"), png);
  server.begin({ replies: [{ calls: [{ tool: "read_file", input: { path: "shot.png" } }] }], end: { text: "Nothing to see." } });
  using session = await daemon.session({ model: "mistral/pixtral-large" });
  await session.runTurn("look");
  expect(server.violations).toEqual([]);
  expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  expect(JSON.stringify(server.seen.at(-1)?.body)).toContain(png.toString("base64"));
});

test("bedrock signs its request for the region in the config, and Baton reads a refusal", async () => {
  using session = await daemon.session({ model: `bedrock/${bedrock.model}` });
  await session.runTurn("go");
  expect(refuses.seen[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/eu-north-1\/bedrock\/aws4_request/);
  expect(refuses.seen.map((seen) => isSigned(seen, keys.AWS_SECRET_ACCESS_KEY))).toEqual([true]);
  expect(refuses.seen.map((seen) => isSigned(seen, "another secret"))).toEqual([false]);
  expect(session.events.at(-1)).toMatchObject({ reason: "failed", message: expect.stringContaining("security token included") as unknown });
});
