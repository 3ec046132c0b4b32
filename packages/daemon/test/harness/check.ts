import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { LoggedEvent } from "@baton/core/protocol/event";
import Driver from "libsql";
import type { TestDaemon } from "../support/daemon.ts";
import type { Loaded } from "./load.ts";

/** Compares the store, the file of effects and the views of the clients after a run. Returns every broken promise. */
export function brokenPromises(daemon: TestDaemon, sessions: readonly Loaded[], effectsFile: string): string[] {
  const driver = new Driver(path.join(daemon.home, "baton.db"));
  const read = driver.prepare("SELECT seq, at, data FROM event WHERE stream_id = ? ORDER BY seq");
  const logOf = (id: string): LoggedEvent[] =>
    (read.all(id) as { seq: number; at: number; data: string }[]).map(({ seq, at, data }) => ({
      ...(JSON.parse(data) as LoggedEvent),
      seq,
      at,
    }));
  const lines = existsSync(effectsFile) ? readFileSync(effectsFile, "utf8").split("\n").slice(0, -1) : [];
  const times = new Map<string, number>();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  try {
    const integrity = driver.prepare("PRAGMA integrity_check").all() as Record<string, string>[];
    return [
      ...integrity.flatMap((row) => Object.values(row)).flatMap((finding) => (finding === "ok" ? [] : [`P1: the store: ${finding}`])),
      ...Array.from(times).flatMap(([line, n]) => (n > 1 ? [`P2: ${line} was done ${n} times`] : [])),
      ...sessions.flatMap((session) => ofSession(session, logOf(session.id), times)),
    ];
  } finally {
    driver.close();
  }
}

function ofSession({ id, seen, accepted }: Loaded, log: readonly LoggedEvent[], times: ReadonlyMap<string, number>): string[] {
  const received = log.flatMap((event) => (event.type === "prompt.received" ? [event.promptId] : []));
  const answered = log.flatMap((event) => (event.type === "request.answered" ? [event.requestId] : []));
  return [
    ...seen.flatMap(({ events }, client) => ofClient(`client ${client + 1} of ${id}`, events, log)),
    ...accepted
      .filter((prompt) => received.filter((each) => each === prompt).length !== 1)
      .map((prompt) => `P1: ${prompt} was accepted and is there ${received.filter((each) => each === prompt).length} times`),
    ...answered.filter((request, i) => answered.indexOf(request) !== i).map((request) => `P4: ${request} was answered twice`),
    ...effectsOf(log).flatMap(({ line, outcome }) => {
      const n = times.get(line) ?? 0;
      if (outcome === "ok" && n !== 1) return [`P3: ${line} is said to be done, and was done ${n} times`];
      if ((outcome === "denied" || outcome === "failed") && n > 0) return [`P3: ${line} is said to be ${outcome}, and was done`];
      return [];
    }),
  ];
}

/** Checks that every event that a client saw is in the store, and that the client saw them in order and without a gap. */
function ofClient(name: string, events: readonly LoggedEvent[], log: readonly LoggedEvent[]): string[] {
  const hole = events.findIndex(({ seq }, i) => seq !== i + 1);
  const other = events.findIndex((event) => JSON.stringify(log[event.seq - 1]) !== JSON.stringify(event));
  return [
    ...(hole >= 0 ? [`P6: ${name} saw event ${events[hole]?.seq} as its ${hole + 1}th`] : []),
    ...(other >= 0 ? [`P1: ${name} saw event ${other + 1} (${events[other]?.type}); the store has ${log[other]?.type ?? "none"}`] : []),
  ];
}

/** The lines that the commands of a session had to write, each with its outcome in the log. */
function effectsOf(log: readonly LoggedEvent[]): { line: string; outcome: string }[] {
  const ends = new Map(log.flatMap((event) => (event.type === "tool.finished" ? [[event.callId, event.result.outcome] as const] : [])));
  return log
    .flatMap((event) => (event.type === "model.replied" ? event.calls : []))
    .flatMap(({ id, input }) => {
      const line = /(\d+-\d+\.(?:\d+|asked))/.exec(JSON.stringify(input ?? ""))?.[1];
      return line === undefined ? [] : [{ line, outcome: ends.get(id) ?? "interrupted" }];
    });
}
