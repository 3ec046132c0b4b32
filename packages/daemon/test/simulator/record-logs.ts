import { readFileSync, writeFileSync } from "node:fs";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { upcastEvent } from "@baton/core/protocol/upcast";
import { foldStates } from "@baton/core/session/effective-events";
import { Run } from "./run.ts";
import { memoryStore } from "./world/store.ts";

/**
 * `record-logs.ts [LIVES]`: records logs of simulated sessions that contain something new. Core folds the recorded logs to check its state
 * version. Existing logs never change.
 */
const file = new URL("../../../core/test/recorded-logs.jsonl", import.meta.url);
const lives = Number(process.argv[2] ?? 300);
const MAX_EVENTS = 60;
const WORDS = new Set(["reason", "origin", "code", "delivery", "what", "only", "archived", "trusted", "status"]);

const recorded = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as LoggedEvent[]);
const seen = new Set(recorded.flatMap(sightsOf));
const candidates: { log: LoggedEvent[]; sights: string[] }[] = [];
for (let seed = 1; seed <= lives; seed++) {
  const run = new Run(seed, memoryStore());
  await run.play();
  for (const id of run.history.sessions) {
    const log = JSON.parse(JSON.stringify(run.history.session(id))) as LoggedEvent[];
    if (log.length <= MAX_EVENTS) candidates.push({ log, sights: [...new Set(sightsOf(log))] });
  }
}
for (;;) {
  const ranked = candidates.map(({ log, sights }) => ({ log, sights, fresh: sights.filter((sight) => !seen.has(sight)).length }));
  const best = ranked.reduce((one, other) => (other.fresh / other.log.length > one.fresh / one.log.length ? other : one));
  if (best.fresh === 0) break;
  recorded.push(best.log);
  for (const sight of best.sights) seen.add(sight);
}
writeFileSync(file, recorded.map((log) => `${JSON.stringify(log)}\n`).join(""));
console.log(`${recorded.length} logs, ${recorded.flat().length} events, ${seen.size} sights`);

/**
 * The content of a log for comparison: each type of event with its fields and their enumerated values, and the session's state at that
 * moment.
 */
function sightsOf(log: LoggedEvent[]): string[] {
  const states = [...foldStates(log.map((event) => upcastEvent(event) as LoggedEvent))];
  return log.flatMap((event, i) => {
    const before = states[i - 1];
    const { type, ...fields } = event;
    return [
      ...Object.entries(fields).map(([key, value]) => `${type} ${key} ${WORDS.has(key) ? JSON.stringify(value) : typeof value}`),
      `${type} ${before?.turn ? "in a turn" : "at rest"} ${before?.step?.phase ?? "before any step"}`,
    ];
  });
}
