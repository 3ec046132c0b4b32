import { UNATTENDED } from "@baton/core/text/request/answer-origin";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const same = () => ({ calls: [{ tool: "run_command", input: { command: "make it" } }] });
const other = (_: unknown, i: number) => ({ calls: [1, 2].map((n) => ({ tool: "run_command", input: { command: `make ${i} ${n}` } })) });

async function denied(replies: Parameters<typeof script>[1], client: string) {
  const daemon = await TestDaemon.start();
  const session = await daemon.session({ client, model: script(daemon, replies) });
  await session.prompt("go");
  const answer = async (until: () => boolean) => {
    while (!until()) {
      await session.until("a request or the end", ({ state }) => openRequests(state).length > 0 || until());
      for (const { id } of openRequests(session.state)) await session.answer({ choice: "deny" }, id).catch(() => undefined);
    }
  };
  return { daemon, session, answer };
}

test.each([
  ["the same call", Array.from({ length: 30 }, same)],
  ["always other calls", Array.from({ length: 30 }, other)],
])("without a user, a model that makes %s after denials is stopped", async (_, replies) => {
  const { daemon, session, answer } = await denied(replies, UNATTENDED);
  await using _daemon = daemon;
  await answer(() => session.state.lastTurn !== undefined);
  expect(session.state.lastTurn).toMatchObject({ reason: "denied", message: expect.stringContaining("5 steps in a row") as unknown });
  expect(session.state.counts.steps).toBe(5);
});

test("other calls in between, and denials of a user, do not count as a loop", async () => {
  const listed = { calls: [{ tool: "list_files", input: {} }] };
  const mixed = Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? listed : other(_, i)));
  const alone = await denied([...mixed, { text: "Done." }], UNATTENDED);
  await using _one = alone.daemon;
  await alone.answer(() => alone.session.state.lastTurn !== undefined);
  expect(alone.session.state.counts.steps).toBe(17);
  const attended = await denied([...Array.from({ length: 8 }, other), { text: "Done." }], "terminal");
  await using _other = attended.daemon;
  await attended.answer(() => attended.session.state.lastTurn !== undefined);
  expect(attended.session.state.counts.steps).toBe(9);
});
