import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { flood, floodOf, piece, residentMiB, type Flood } from "../support/fault/flood.ts";

/** A million takes more than a minute. The bench does that. */
const DELTAS = 50_000;

test("a flood of tiny pieces costs few commits and little memory, and all of them arrive", { timeout: 180_000 }, async () => {
  await using server = await floodOf(DELTAS);
  await using daemon = await TestDaemon.start({
    config: { model: "p/m", providers: { p: { kind: "anthropic", baseUrl: server.url, apiKey: "k" } } },
  });
  using session = await daemon.session();
  await session.prompt("go");
  const began = performance.now();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, residentMiB(daemon.pid))), 100);
  await expect.poll(() => session.state.lastTurn?.reason, { timeout: 170_000, interval: 100 }).toBe("completed");
  clearInterval(watch);
  const seconds = (performance.now() - began) / 1_000;
  const savedParts = session.events.filter(({ type }) => type === "model.kept").length;
  console.log(`${seconds.toFixed(1)} s, ${savedParts} kept, ${session.frames.length} frames, ${most.toFixed(0)} MiB at most`);
  expect(session.state.lastTurn?.said?.length).toBe(2 * DELTAS);
  expect(session.events.length).toBeLessThan(10 + 20 * seconds);
});

test("100 MB from a provider, in pieces, in one line or as a refusal, are not kept in memory, and the turn ends with the reason", async () => {
  const megabyte = "x".repeat(1_000_000);
  await using pieces = await flood(piece(megabyte), 100);
  await using line = await flood(megabyte, 100);
  await using refusal = await flood(megabyte, 100, 400);
  const from = ({ url }: Flood) => ({ kind: "anthropic", baseUrl: url, apiKey: "k" });
  await using daemon = await TestDaemon.start({
    config: { providers: { pieces: from(pieces), line: from(line), refusal: from(refusal) } },
  });
  const before = residentMiB(daemon.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentMiB(daemon.pid))), 20);
  const why = await Promise.all(
    ["pieces", "line", "refusal"].map(async (provider) => {
      using session = await daemon.session({ model: `${provider}/m` });
      await session.runTurn("go");
      expect(session.events.at(-1)).toMatchObject({ type: "turn.ended", reason: "failed" });
      return session.events.findLast((each) => each.type === "model.failed")?.message ?? "";
    }),
  );
  clearInterval(watch);
  console.log(`${before.toFixed(0)} MiB before, ${most.toFixed(0)} MiB at most`);
  expect(why[0]).toMatch(/longer than 4 MB/);
  expect(why[1]).toMatch(/a line of more than 8 MB/);
  expect(why[2]).toMatch(/refused the request \(400\)/);
  expect(Math.max(...why.map(({ length }) => length))).toBeLessThan(2_000);
  expect(most - before).toBeLessThan(250);
});
