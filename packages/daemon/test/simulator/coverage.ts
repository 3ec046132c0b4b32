import { SessionEvent } from "@baton/core/protocol/event";
import type { Outcome } from "./run.ts";

/** Everything that a run can cause. */
const EVENTS: readonly string[] = SessionEvent.options.map((option) => option.shape.type.value);
const FAULTS: readonly string[] = [
  "a client is cut off",
  "a client takes nothing any more",
  "a command hangs",
  "a write fails",
  "a write fails, but is there",
  "an answer is lost on its way",
  "killed after a commit",
  "killed before a commit",
  "memory runs short",
  "rules and settings change",
  "the clock is set",
  "the daemon is killed",
  "the daemon is told to stop",
  "the disk is full",
  "the machine sleeps for 8 hours",
  "the model fails: bad_request",
  "the model fails: cut",
  "the model fails: malformed",
  "the model fails: overflow",
  "the model fails: overloaded",
  "the model fails: rate_limited",
  "the model fails: timeout",
];

/** The number of runs in which each type of event and each fault occurred. */
export class Coverage {
  runs = 0;
  readonly #lengths: number[] = [];
  readonly #seen = new Map<string, number>();

  add({ events, faults }: Pick<Outcome, "events" | "faults">): void {
    this.runs++;
    this.#lengths.push(Array.from(events.values()).reduce((sum, times) => sum + times, 0));
    for (const what of [...events.keys(), ...faults]) this.#seen.set(what, (this.#seen.get(what) ?? 0) + 1);
  }

  get medianEvents(): number {
    return this.#lengths.toSorted((a, b) => a - b)[Math.floor(this.#lengths.length / 2)] ?? 0;
  }

  /** The types and faults that occurred in fewer than this part of all runs. */
  rarerThan(part: number): string[] {
    return [...EVENTS, ...FAULTS].filter((what) => (this.#seen.get(what) ?? 0) < part * this.runs);
  }

  table(): string {
    const row = (what: string) => `${what.padEnd(34)} ${(((this.#seen.get(what) ?? 0) / this.runs) * 100).toFixed(1).padStart(5)} %`;
    return [`${this.runs} runs, ${this.medianEvents} events in the median; in how many of them:`, ...[...EVENTS, ...FAULTS].map(row)].join(
      "\n",
    );
  }
}
