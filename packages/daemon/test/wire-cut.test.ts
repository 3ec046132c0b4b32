import { describe, expect, test } from "vitest";
import { openCatalog } from "../src/model/catalog.ts";
import type { Model } from "../src/model/provider.ts";
import type { Format, WireReply } from "./support/wire/format.ts";
import { formats } from "./support/wire/index.ts";
import { WireServer } from "./support/wire/server.ts";

const reply: WireReply = {
  reasoning: "I think, therefore I look.",
  text: "I look ✓.",
  calls: [
    { tool: "list_files", input: { path: "a" } },
    { tool: "glob", input: { pattern: "*" } },
  ],
};

/** Every byte takes minutes; a part of them that nothing else is a multiple of goes with every change. */
const STRIDE = Number(process.env["BATON_CUT_STRIDE"] ?? 59);

/** The model that the config makes of a server, without a daemon around it: fast enough for thousands of cuts. */
function modelAt(server: WireServer): Model {
  const { format, url } = server;
  const key = { stamp: "k", read: () => Promise.resolve("k") };
  const catalog = openCatalog(() => ({
    providers: [{ name: "p", kind: format.kind as "anthropic", baseUrl: url, key, models: {} }],
    env: {},
    stored: () => undefined,
    demo: "",
  }));
  const resolved = catalog.resolve([`p/${format.model}`]);
  if ("code" in resolved) throw new Error(resolved.message);
  return resolved.model;
}

const ask = (model: Model) =>
  model(
    {
      sessionId: "s",
      step: 1,
      system: "You look.",
      messages: [{ role: "user", text: "Look." }],
      tools: [{ name: "list_files", description: "Lists.", schema: { type: "object", properties: {} } }],
      readBlob: () => Promise.resolve(undefined),
    },
    () => undefined,
    new AbortController().signal,
  );

/** Where the last event that matters ends: what is cut after that has lost nothing. */
function endOf(format: Format, stream: Buffer): number {
  const last =
    { anthropic: "event: message_stop", openai: "event: response.completed", google: '"finishReason"' }[format.kind] ?? '"finish_reason":"';
  return stream.lastIndexOf(last);
}

describe.each(formats)("$kind", (format) => {
  test("a stream cut at any byte gives a whole reply or none", { timeout: 300_000 }, async () => {
    const stream = Buffer.from(format.streamOf(reply, 0));
    await using server = await WireServer.start(format, { replies: [reply] });
    const model = modelAt(server);
    const whole = await ask(model);
    expect(whole).toMatchObject({
      text: reply.text,
      reasoning: reply.reasoning,
      calls: [{ input: { path: "a" } }, { input: { pattern: "*" } }],
    });
    const end = endOf(format, stream);
    const wrong: string[] = [];
    for (let cut = 0; cut < stream.length; cut += cut > end ? 1 : STRIDE) {
      for (const clean of [false, true]) {
        server.begin({ replies: [reply], fault: () => ({ cutAfter: cut, clean }) });
        const is = outcomeOf(await ask(model), whole);
        if (is === "another reply" || (is === "the reply" && cut <= end)) wrong.push(`cut after ${cut} of ${stream.length}: ${is}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

type Answer = Awaited<ReturnType<Model>>;

function outcomeOf(answer: Answer, whole: Answer): "none" | "the reply" | "another reply" {
  if ("failed" in answer) return answer.failed.code === "cut" || answer.failed.code === "unreachable" ? "none" : "another reply";
  return JSON.stringify({ ...answer, usage: 0 }) === JSON.stringify({ ...whole, usage: 0 }) ? "the reply" : "another reply";
}
