import { describe, expect, test } from "vitest";
import type { Model } from "../../src/model/model-port.ts";
import { record } from "../harness/record.ts";
import { streamOf, type Format, type WireReply } from "../support/wire/format.ts";
import { bedrock } from "../support/wire/bedrock.ts";
import { formats } from "../support/wire/index.ts";
import { ask, modelAt } from "../support/wire/model-at.ts";
import { WireServer } from "../support/wire/server.ts";

const reply: WireReply = {
  reasoning: "I think, therefore I look.",
  text: "I look ✓.",
  calls: [
    { tool: "list_files", input: { path: "a" } },
    { tool: "glob", input: { pattern: "*" } },
  ],
};

/** Every byte takes minutes, so only the nightly run does that. A push tests every 97th byte, a prime that shares no factor with other lengths. */
const STRIDE = Number(process.env["BATON_CUT_STRIDE"] ?? 97);
/** At the very end, where a reply may be complete or not. */
const LAST_STRIDE = Math.min(STRIDE, 17);

/** Where the last relevant event ends. A cut after that loses nothing. */
function endOf(format: Format, stream: Buffer): number {
  const last =
    { anthropic: "event: message_stop", openai: "event: response.completed", google: '"finishReason"', bedrock: "messageStop" }[
      format.kind
    ] ?? '"finish_reason":"';
  return stream.lastIndexOf(last);
}

describe.each(formats)("$kind", (format) => {
  test("a stream cut at any byte gives a complete reply or none", { timeout: 300_000 }, async () => {
    const stream = streamOf(format, reply, 0);
    await using server = await WireServer.start(format, { replies: [reply] });
    const model = await modelAt(server);
    const whole = await ask(model);
    expect(whole).toMatchObject({
      text: reply.text,
      reasoning: reply.reasoning,
      calls: [{ input: { path: "a" } }, { input: { pattern: "*" } }],
    });
    const end = endOf(format, stream);
    const wrong: string[] = [];
    let tried = 0;
    for (let cut = 0; cut < stream.length; cut += cut > end ? LAST_STRIDE : STRIDE) {
      for (const clean of [false, true]) {
        tried++;
        server.begin({ replies: [reply], fault: () => ({ cutAfter: cut, clean }) });
        const is = outcomeOf(await ask(model), whole);
        if (is === "another reply" || (is === "the reply" && cut <= end)) wrong.push(`cut after ${cut} of ${stream.length}: ${is}`);
      }
    }
    record({ row: "20", tried, lost: wrong.length });
    expect(wrong).toEqual([]);
  });
});

test("bedrock: a stream with one changed byte gives no reply", { timeout: 300_000 }, async () => {
  const stream = streamOf(bedrock, reply, 0);
  await using server = await WireServer.start(bedrock, { replies: [reply] });
  const model = await modelAt(server);
  const whole = await ask(model);
  const wrong: number[] = [];
  for (let at = 0; at < stream.length; at += STRIDE) {
    const changed = Buffer.from(stream);
    changed.writeUInt8(stream.readUInt8(at) ^ 1, at);
    server.begin({ replies: [reply], fault: () => ({ after: 0, add: changed }) });
    if (outcomeOf(await ask(model), whole) !== "none") wrong.push(at);
  }
  expect(wrong).toEqual([]);
});

type Answer = Awaited<ReturnType<Model>>;

function outcomeOf(answer: Answer, whole: Answer): "none" | "the reply" | "another reply" {
  if ("failed" in answer) return answer.failed.code === "cut" || answer.failed.code === "unreachable" ? "none" : "another reply";
  return JSON.stringify({ ...answer, usage: 0 }) === JSON.stringify({ ...whole, usage: 0 }) ? "the reply" : "another reply";
}
