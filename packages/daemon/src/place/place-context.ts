import { existsSync } from "node:fs";
import type { PlaceState } from "@baton/core/place/place-state";
import type { AppliedFile, PlaceEvent, PlaceSnapshot, PlaceStep } from "@baton/core/protocol/place";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import type { Actor } from "@baton/core/protocol/request";
import type { SourceFiles } from "./plan-apply.ts";
import type { StepResult } from "./create-place.ts";
import { openGit, type Git } from "./git/git.ts";
import type { PlaceEventLog } from "./place-event-log.ts";

export type RefusalResult = { refused: Refusal };

/** Decides whether commands of a repository may run, and with which environment. */
export type SetupGate = {
  /** Whether the user approved the commands with this hash for a folder. */
  isApproved: (folder: string, hash: string) => boolean;
  /** Why a rule denies a command. Undefined: none does. */
  denial: (folder: string, command: string) => string | undefined;
  env: Readonly<Record<string, string>>;
};

export type PlacesOptions = {
  log: PlaceEventLog;
  /** The folder for new places. */
  folder: () => string;
  env: Readonly<Record<string, string | undefined>>;
  files: SourceFiles;
  setups: SetupGate;
  /** Descriptions of what uses a folder now: sessions at work, open requests, commands, editors. */
  usersOf: (root: string) => Promise<readonly string[]>;
};

/** The outcome of a step, with what it has to record. */
type StepRecord = {
  ok: boolean;
  message?: string | undefined;
  snapshot?: PlaceSnapshot;
  files?: readonly AppliedFile[];
  setup?: string;
  output?: string;
};

/** The context of every operation on a place: the options, git, and the log of its steps. */
export type PlaceContext = PlacesOptions & {
  openIn: (folder: string) => Git;
  /** Git in the checkout that a place came from, or in the shared folder if that checkout is gone. */
  sourceOf: (place: PlaceState) => Git;
  /** Records the outcome of a step. */
  finish: (place: PlaceState, step: PlaceStep, record: StepRecord) => Promise<PlaceState>;
  /** Records the intent, does the work, and records the outcome. */
  run: (place: PlaceState, step: PlaceStep, by: Actor, work: (place: PlaceState) => Promise<StepResult>) => Promise<PlaceState>;
};

export function placeContext(options: PlacesOptions): PlaceContext {
  const { log, env } = options;
  const openIn = (folder: string): Git => openGit(folder, env);
  const finish: PlaceContext["finish"] = ({ id }, step, { ok, message, snapshot, files, setup, output }) => {
    const event: PlaceEvent = { type: "place.stepFinished", step, outcome: ok ? "succeeded" : "failed" };
    if (message) event.message = message;
    if (snapshot) event.snapshot = snapshot;
    if (files) event.files = [...files];
    if (setup !== undefined) event.setup = setup;
    if (output !== undefined) event.output = output;
    return log.append(id, event);
  };
  return {
    ...options,
    openIn,
    finish,
    sourceOf: ({ checkout, commonDir }) => openIn(existsSync(checkout) ? checkout : commonDir),
    async run(place, step, by, work) {
      const started = await log.append(place.id, { type: "place.stepStarted", step, by });
      const result = await work(started).catch((error: unknown): StepResult => ({ ok: false, why: String(error) }));
      return finish(place, step, { ok: result.ok, message: result.ok ? result.notes.join("; ") : result.why });
    },
  };
}

/** The refusal of an operation on a place with another status. `verb`: a past participle, for the message. */
export function refuseUnless(place: PlaceState, status: PlaceState["status"], verb: string): RefusalResult | undefined {
  if (place.status === status) return undefined;
  const what = place.status === "interrupted" ? `was interrupted. \`baton places repair ${place.name}\` continues` : `is ${place.status}`;
  return refuse("place_impossible", `The place ${place.name} ${what}, so it cannot be ${verb}.`);
}
