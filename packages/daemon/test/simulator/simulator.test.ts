import { emptyState, newStep, newTurn, normalizeState, type SessionState } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { Coverage } from "./coverage.ts";
import kept from "./kept-seeds.json" with { type: "json" };
import { libsqlStore } from "./libsql-store.ts";
import { explain, play, promiseOf } from "./play.ts";
import { Run, type Outcome } from "./run.ts";
import { plants } from "./plants.ts";
import { memoryStore } from "./store.ts";

const shape = [Object.keys(emptyState), Object.keys(newTurn), Object.keys(newStep)];

const SEEDS = 200;
/** A fault that was planted need not be shown in the very fewest lines. */
const ENOUGH_SHRINKING = 100;

const faultOf = async (seed: number, outcome: Outcome): Promise<string> => (outcome.broken.length > 0 ? explain(seed, outcome) : "");

test(`${SEEDS} lives of a daemon, with every fault that there is: no promise is broken`, { timeout: 120_000 }, async () => {
  const coverage = new Coverage();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = await play(seed);
    coverage.add(outcome);
    expect(await faultOf(seed, outcome)).toBe("");
  }
  console.log(coverage.table()); // what is too rare here is found out by the nightly run, which has enough of them
  expect(coverage.runs).toBe(SEEDS);
});

test("seeds that broke a promise once break none any more", { timeout: 60_000 }, async () => {
  for (const seed of kept) {
    const outcome = await play(seed);
    expect(await faultOf(seed, outcome)).toBe("");
  }
});

test("the same promises hold on the real store, and what is derived there is what its log says", { timeout: 60_000 }, async () => {
  for (let seed = 1; seed <= 12; seed++) {
    await using store = await libsqlStore();
    const outcome = await play(seed, undefined, store);
    expect(outcome.broken).toEqual([]);
  }
});

test("whatever happens, and after being kept as JSON, states have one shape", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const run = new Run(seed, memoryStore());
    await run.play();
    for (const state of run.history.sessions.map((id) => run.promises.fold(id)))
      for (const each of [state, normalizeState(JSON.parse(JSON.stringify(state)) as SessionState)]) {
        expect(each).toEqual(state);
        expect([Object.keys(each), Object.keys(each.turn ?? newTurn), Object.keys(each.step ?? newStep)]).toEqual(shape);
      }
  }
});

test("a run is the same each time, and its tape repeats it", async () => {
  const [first, again] = [await play(7), await play(7)];
  expect(again.trace).toEqual(first.trace);
  expect((await play(first.tape)).trace).toEqual(first.trace);
});

test.for(Object.entries(plants))(
  "a planted fault is found and shown in few lines: %s",
  { timeout: 60_000 },
  async ([, { breaks, plant }]) => {
    for (let seed = 1; seed <= 300; seed++) {
      const outcome = await play(seed, plant);
      const promise = promiseOf(outcome.broken[0] ?? "");
      // Where nobody looked in time, a lost request only shows as a state that differs from the log.
      if (outcome.broken.length === 0 || (promise === "P1" && breaks === "P4")) continue;
      expect(promise).toBe(breaks);
      const shown = await explain(seed, outcome, { plant, most: ENOUGH_SHRINKING });
      console.log(shown);
      return;
    }
    expect.fail("it was not found in 300 lives");
  },
);
