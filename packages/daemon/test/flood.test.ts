import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";
import { floodOf, residentMiB } from "./support/flood.ts";

/** A million takes more than a minute; the bench does that. */
const DELTAS = 50_000;

test("a flood of tiny pieces costs few commits and little memory, and all of them arrive", { timeout: 180_000 }, async () => {
  const server = await floodOf(DELTAS);
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
  server.close();
  const seconds = (performance.now() - began) / 1_000;
  const kept = session.events.filter(({ type }) => type === "model.kept").length;
  console.log(`${seconds.toFixed(1)} s, ${kept} kept, ${session.frames.length} frames, ${most.toFixed(0)} MiB at most`);
  expect(session.state.lastTurn?.said?.length).toBe(2 * DELTAS);
  expect(session.events.length).toBeLessThan(10 + 20 * seconds);
});
