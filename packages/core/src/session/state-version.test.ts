import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventProblem, SessionEvent, type LoggedEvent } from "../protocol/event.ts";
import { latestVersionOf, upcastEvent } from "../protocol/upcast.ts";
import { STATE_VERSION } from "../protocol/connection/version.ts";
import { foldStates } from "./effective-events.ts";
import { emptyState, newStep, newTurn } from "./state.ts";

const lines = readFileSync(new URL("../../test/recorded-logs.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const recorded = lines.map((line) => (JSON.parse(line) as LoggedEvent[]).map((event) => upcastEvent(event) as LoggedEvent)); // must match the schema below
const types = SessionEvent.options.map((option) => option.shape.type.value);
const file = new URL("../../test/state-version.txt", import.meta.url);

/** All states that the recorded logs lead to, with the types and versions of events that this version supports. */
function digest(): string {
  const hash = createHash("sha256").update(
    types
      .map((type) => `${type} ${latestVersionOf(type)}`)
      .toSorted()
      .join(),
  );
  hash.update(JSON.stringify([emptyState, newTurn, newStep]));
  for (const log of [...recorded, ...recorded.map(withOtherNumbers), recorded.flat()])
    for (const state of foldStates(log)) hash.update(JSON.stringify(state));
  return hash.digest("hex");
}

/** The same log with other amounts. Many recorded amounts are zero, which would hide a fold that ignores them. */
function withOtherNumbers(log: readonly LoggedEvent[], n: number): LoggedEvent[] {
  const other = (key: string, value: unknown): unknown => (typeof value === "number" && !PLACES.has(key) ? value + n + key.length : value);
  return JSON.parse(JSON.stringify(log), other) as LoggedEvent[];
}

/** Numbers that identify a position. */
const PLACES = new Set(["seq", "step", "attempt", "turn", "to", "kept", "since"]);

test("the recorded logs contain events of every type in its current version", () => {
  const missing = types.filter((type) => !recorded.some((log) => log.some((event) => event.type === type)));
  expect(missing).toEqual([]); // packages/daemon/test/simulator/record-logs.ts records more
  expect(recorded.flatMap((log) => log.map(eventProblem).filter((fault) => fault !== undefined))).toEqual([]);
});

test("a state that is folded differently has another version", async () => {
  const now = `${STATE_VERSION} ${digest()}\n`;
  const [before = ""] = readFileSync(file, "utf8").split(" ");
  const isForgotten = now !== readFileSync(file, "utf8") && STATE_VERSION <= Number(before);
  const advice =
    `The state of a session, or what \`reduce\` makes of events, is not that of version ${before}. ` +
    `Set STATE_VERSION in src/protocol/connection/version.ts to ${Number(before) + 1}, then run this test with -u.`;
  expect(isForgotten ? advice : "").toBe("");
  await expect(now).toMatchFileSnapshot(file.pathname);
});
