import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TokenUsage } from "@baton/core/protocol/tool-call";
import type { ModelPart } from "../../src/model/model-port.ts";
import { ModelServer } from "../support/model-server.ts";
import { TestDaemon } from "../support/daemon.ts";
import { streamOf, type Format, type WireReply } from "../support/wire/format.ts";
import { formats, keys } from "../support/wire/index.ts";
import { ask, modelAt } from "../support/wire/model-at.ts";
import { WireServer } from "../support/wire/server.ts";

const long: WireReply = { text: "All that I know of it, in many words. ".repeat(20) };
const look: WireReply = { text: "I look.", calls: [{ tool: "list_files", input: {} }] };

/** Providers that report their input tokens before they end. `counts` also report their output tokens as they go. */
const tells: Record<string, "reads" | "counts"> = { anthropic: "reads", google: "counts" };
const CUTS = 7;

/** The uncounted part of a cut reply, by the counts that its provider reports before the end. */
const estimatedBy = {
  reads: ({ output }: TokenUsage) => output,
  counts: () => 0,
  ends: ({ input, output }: TokenUsage) => input + output,
};

describe.each(formats)("$kind", (format) => {
  test("the usage of a cut reply is the provider's counts, and an estimate for the rest", { timeout: 60_000 }, async () => {
    const stream = streamOf(format, long, 0);
    await using server = await WireServer.start(format, { replies: [long] });
    const model = await modelAt(server);
    const whole = await usageAt(model, () => server.begin({ replies: [long] }));
    const tried: (TokenUsage | undefined)[] = [];
    for (let cut = 0; cut < stream.length * 0.9; cut += Math.floor(stream.length / CUTS))
      tried.push(await usageAt(model, () => server.begin({ replies: [long], fault: () => ({ cutAfter: cut, clean: cut % 2 === 0 }) })));
    const used = tried.filter((each) => each !== undefined);
    const counted = { input: whole?.input, cachedInput: whole?.cachedInput };
    const outputs = used.map(({ output }) => output);
    expect(used.length).toBeGreaterThan(2);
    expect(outputs).toEqual(outputs.toSorted((a, b) => a - b));
    expect(used.map(({ estimated = 0 }) => estimated)).toEqual(used.map(estimatedBy[tells[format.kind] ?? "ends"]));
    expect(used.map(({ input, cachedInput }) => ({ input, cachedInput }))).toEqual(
      used.map(({ input, cachedInput }) => (tells[format.kind] ? counted : { input, cachedInput })),
    );
  });
});

async function usageAt(model: Awaited<ReturnType<typeof modelAt>>, begin: () => void): Promise<TokenUsage | undefined> {
  let soFar: (() => TokenUsage | undefined) | undefined;
  const note = (part: ModelPart) => void (part.type === "spending" && (soFar = part.soFar));
  begin();
  await ask(model, {}, note);
  return soFar?.();
}

describe("a session", () => {
  let daemon: TestDaemon;
  const servers = new Map<Format, WireServer>();
  const cost = { input: 1_000_000, output: 1_000_000 }; // a dollar per token

  beforeAll(async () => {
    for (const format of formats) servers.set(format, await WireServer.start(format, { replies: [] }));
    const providers = [...servers].map(([{ kind, model }, { provider }]) => [kind, { ...provider, models: { [model]: { cost } } }]);
    daemon = await TestDaemon.start({ env: keys, config: { providers: Object.fromEntries(providers) as object } });
  });
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
    for (const server of servers.values()) await server[Symbol.asyncDispose]();
  });

  test.each(formats)("$kind: a reply that the user stops still costs money", async (format) => {
    const server = servers.get(format) as WireServer;
    const stream = streamOf(format, long, 1);
    server.begin({ replies: [look, long], fault: (nth) => (nth === 2 ? { hangAfter: stream.length / 2 } : undefined) });
    using session = await daemon.session({ model: `${format.kind}/${format.model}` });
    await session.prompt("go");
    await session.until("half of the text", ({ frames }) =>
      frames.some((frame) => frame.type === "text" && frame.offset + frame.text.length > 100),
    );
    const { usage: first } = session.state;
    await session.wish({ type: "interrupt" });
    await session.untilEnd();
    const { usage, lastTurn, contextTokens } = session.state;
    const { estimated = 0 } = usage;
    expect(first.estimated).toBeUndefined();
    expect(usage.input).toBeGreaterThan(first.input);
    expect(usage.output).toBeGreaterThan(first.output);
    expect(contextTokens).toBe(usage.input - first.input);
    expect(lastTurn?.cost).toBe(usage.input + usage.output);
    const { api } = daemon.connect();
    const [row] = (await api.usage.since.query({ day: "2000-01-01" })).filter(({ sessionId }) => sessionId === session.id);
    expect(row).toMatchObject({ cost: usage.cost, input: usage.input, output: usage.output, estimated, steps: 2 });
  });

  test.each(formats)("$kind: an interrupted reply costs money beside the one that replaces it", async (format) => {
    const server = servers.get(format) as WireServer;
    const half = streamOf(format, long, 0).length / 2;
    server.begin({ replies: [long], fault: (nth) => (nth === 1 ? { cutAfter: half } : undefined) });
    using session = await daemon.session({ model: `${format.kind}/${format.model}` });
    await session.runTurn("go");
    const [replied] = session.events.filter((event) => event.type === "model.replied");
    const [spent] = session.events.filter((event) => event.type === "model.spent");
    expect(spent?.usage.output).toBeGreaterThan(0);
    expect(session.state.usage).toMatchObject({
      input: (spent?.usage.input ?? 0) + (replied?.usage.input ?? 0),
      output: (spent?.usage.output ?? 0) + (replied?.usage.output ?? 0),
    });
    expect(session.state.contextTokens).toBe((replied?.usage.input ?? 0) + (replied?.usage.output ?? 0));
  });

  test("a refused request costs nothing", async () => {
    const [format] = formats as [Format];
    servers.get(format)?.begin({ replies: [long], fault: () => ({ status: 401 }) });
    using session = await daemon.session({ model: `${format.kind}/${format.model}` });
    await session.runTurn("go");
    expect(session.state.usage).toEqual({ input: 0, cachedInput: 0, output: 0, cost: 0 });
  });
});

test("the usage of a reply during which the daemon was killed counts once", { timeout: 60_000 }, async () => {
  await using server = await ModelServer.start({ replies: [{ stamps: { count: 60, everyMs: 100 } }] });
  await using own = await TestDaemon.start({ config: { providers: { local: { kind: "openai-compatible", baseUrl: server.url } } } });
  using session = await own.session({ model: "local/m" });
  await session.prompt("go");
  await session.until("what is kept", ({ events }) => events.some(({ type }) => type === "model.kept"));
  const [saved] = session.events.filter((event) => event.type === "model.kept");
  expect(session.state.usage.output).toBe(0);
  await own.kill();
  await own.start();
  const again = own.attach(session.id);
  await again.until("the next attempt", ({ state }) => state.step?.attempt === 2 && state.step.phase === "running");
  expect(saved?.usage?.output).toBeGreaterThan(0);
  expect(again.state.usage).toEqual(saved?.usage);
  expect(again.events.filter(({ type }) => type === "model.spent")).toHaveLength(1);
});
