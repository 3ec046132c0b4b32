import { openRequests } from "@baton/core/session/state";
import type { Run } from "./run.ts";
import { settle } from "./world/scheduler.ts";

const MAX_STEPS = 20_000;
const MAX_ROUNDS = 40;

/** The faults stop. Everything becomes idle, or waits for the user. Then the user answers, and everything becomes idle. */
export async function comeToRest(run: Run): Promise<void> {
  const { clients, history, promises } = run;
  run.note("the faults stop");
  run.calm = true;
  run.diskFull = false;
  for (const client of clients) {
    client.cut();
    client.connect();
  }
  await rest(run);
  if (run.stage !== "running") {
    await run.restart("the daemon has stopped and is started again");
    for (const client of clients) client.connect();
    await rest(run);
  }
  for (let round = 0; round < MAX_ROUNDS && run.fine; round++) {
    const open = history.sessions.flatMap((id) => openRequests(promises.fold(id)));
    if (open.length === 0) break;
    for (const { id, choices } of open)
      clients[0]?.wish({ type: "answer", requestId: id, answer: { choice: choices[0]?.id ?? "" }, by: { person: "ann" } });
    await rest(run);
  }
  if (run.fine) await allIsWell(run);
}

async function rest(run: Run): Promise<void> {
  const { scheduler, clock, promises } = run;
  for (let steps = 0; steps < MAX_STEPS && run.fine; steps++) {
    await settle();
    if (scheduler.size > 0) run.note(scheduler.release(0));
    else if (clock.timers > 0) clock.next();
    else return atRest(run);
  }
  if (run.fine) promises.broken("liveness: it does not come to rest");
}

function atRest({ stage, history, promises }: Run): void {
  if (stage !== "running") return;
  const waits = (id: string) =>
    history.sessions.some((each) => (each === id || each.startsWith(`${id}.`)) && openRequests(promises.fold(each)).length > 0);
  for (const id of history.sessions)
    if (promises.fold(id).turn && !waits(id)) promises.broken(`liveness: ${id} neither goes on nor waits for a person`);
}

/** Checks that the daemon's state, its lists and the clients' views equal the log. */
async function allIsWell(run: Run): Promise<void> {
  const { history, promises, sessions, store, clients } = run;
  for (const id of history.sessions) {
    const finding = sessions.find(id);
    await rest(run);
    if (!run.fine) return;
    const found = await finding;
    if ("refused" in found) return promises.broken(`P1: ${id} cannot be found`);
    await promises.whole(found, store.lists);
  }
  for (const { name, session = "", events, connected } of clients)
    if (connected && events.length !== history.session(session).length)
      promises.broken(`P6: ${name} has ${events.length} events of ${session}; the log has ${history.session(session).length}`);
}
