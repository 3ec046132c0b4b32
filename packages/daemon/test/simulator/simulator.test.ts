import { emptyState, newStep, newTurn, normalizeState, type SessionState } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { Coverage } from "./coverage.ts";
import kept from "./kept-seeds.json" with { type: "json" };
import { libsqlStore } from "./world/libsql-store.ts";
import { explain, play, promiseOf } from "./play.ts";
import { Run, type Outcome } from "./run.ts";
import { plants } from "./plants.ts";
import { memoryStore } from "./world/store.ts";

const shape = [Object.keys(emptyState), Object.keys(newTurn), Object.keys(newStep)];

const SEEDS = 200;
/** An added bug need not be shown in the fewest possible lines. */
const ENOUGH_SHRINKING = 100;

const faultOf = async (seed: number, outcome: Outcome): Promise<string> => (outcome.broken.length > 0 ? explain(seed, outcome) : "");

test(`${SEEDS} lives of a daemon with all kinds of faults break no promise`, { timeout: 120_000 }, async () => {
  const coverage = new Coverage();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = await play(seed);
    coverage.add(outcome);
    expect(await faultOf(seed, outcome)).toBe("");
  }
  console.log(coverage.table()); // the nightly run has enough runs for events that are too rare here
  expect(coverage.runs).toBe(SEEDS);
});

test("seeds that once broke a promise no longer break one", { timeout: 60_000 }, async () => {
  for (const seed of kept) {
    const outcome = await play(seed);
    expect(await faultOf(seed, outcome)).toBe("");
  }
});

test("the same promises hold on the real store, and its derived tables equal its log", { timeout: 60_000 }, async () => {
  for (let seed = 1; seed <= 12; seed++) {
    await using store = await libsqlStore();
    const outcome = await play(seed, undefined, store);
    expect(outcome.broken).toEqual([]);
  }
});

test("a state has the same shape after any event, even after a conversion to JSON", async () => {
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

test.for(Object.entries(plants))("an added bug is found and shown in few lines: %s", { timeout: 60_000 }, async ([, { breaks, plant }]) => {
  for (let seed = 1; seed <= 300; seed++) {
    const outcome = await play(seed, plant);
    const promise = promiseOf(outcome.broken[0] ?? "");
    // If no check happened in time, a lost request only shows as a state that differs from the log.
    if (outcome.broken.length === 0 || (promise === "P1" && breaks === "P4")) continue;
    expect(promise).toBe(breaks);
    const shown = await explain(seed, outcome, { plant, most: ENOUGH_SHRINKING });
    console.log(shown);
    return;
  }
  expect.fail("it was not found in 300 lives");
});
