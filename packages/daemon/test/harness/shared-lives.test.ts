import { createClient } from "@libsql/client/http";
import type { LoggedEvent, SessionEvent } from "@baton/core/protocol/event";
import type { Request } from "@baton/core/protocol/request";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { Line } from "../support/fault/line.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";
import { storeServer, StoreServer } from "../support/fault/store-server.ts";
import { record } from "./record.ts";

const LIVES = Number(process.env["BATON_SHARED_LIVES"] ?? 2);
const FIRST = Number(process.env["BATON_SHARED_SEED"] ?? 1);
const STEPS = 12;
const AT_ONCE = 4;

/** A daemon on a simulated machine, whose clock is wrong and whose connection to the store can be cut. */
type Machine = { daemon: TestDaemon; line: Line; session: TestSession; stands: "up" | "asleep" | "dead"; prompts: Prompt[] };
type Prompt = { promptId: string; commandId: string };

/** Random numbers from the seed: from 0 up to, but not including, `below`. */
function drawsOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0;
    return state % below;
  };
}

const late = (ms: number): string[] => ["--import", `data:text/javascript,const now=Date.now;Date.now=()=>now()+${ms}`];

/** At the end, the test repeats each failed command with the same id. */
const tryTo = (work: Promise<unknown>): void => void work.catch(() => undefined);

const send = ({ session }: Machine, { promptId, commandId }: Prompt) =>
  session.wish({ type: "prompt", promptId, text: "go on", delivery: "queue" }, commandId);

/** `everywhere`: with a grant for all folders, which another machine may revoke. */
const answer = ({ session }: Machine, { id, view }: Request, everywhere: boolean) =>
  session.api.request.answer.mutate({
    commandId: `answer-${id}-${everywhere ? "everywhere" : "once"}`,
    requestId: id,
    answer:
      everywhere && view?.type === "command"
        ? { choice: "workspace", rule: { action: "command", resource: view.command, effect: "allow", scope: "user" } }
        : { choice: "once" },
  });

const grantsOf = ({ daemon, session }: Machine) => session.api.permission.grants.query({ cwd: daemon.workspace });

async function revokeOne(machine: Machine): Promise<void> {
  const [grant] = await grantsOf(machine);
  const { api } = machine.session;
  if (grant) await api.permission.revoke.mutate({ commandId: crypto.randomUUID(), cwd: machine.daemon.workspace, grantId: grant.id });
}

async function step(machine: Machine, draw: (below: number) => number): Promise<void> {
  const { daemon, line, session } = machine;
  switch (draw(8)) {
    case 0:
      return line.cut();
    case 1:
      return line.mend();
    case 2:
      if (machine.stands === "up") process.kill(daemon.pid, "SIGSTOP");
      if (machine.stands === "up") machine.stands = "asleep";
      return;
    case 3:
      return wake(machine);
    case 4:
      await wake(machine);
      await daemon.kill();
      machine.stands = "dead";
      return;
    case 5:
      return tryTo(revokeOne(machine));
    case 6:
      for (const request of openRequests(session.state)) tryTo(answer(machine, request, draw(2) === 0));
      return;
    default: {
      const prompt = { promptId: crypto.randomUUID(), commandId: crypto.randomUUID() };
      machine.prompts.push(prompt);
      tryTo(send(machine, prompt));
    }
  }
}

async function wake(machine: Machine): Promise<void> {
  if (machine.stands === "asleep") process.kill(machine.daemon.pid, "SIGCONT");
  if (machine.stands === "dead") {
    machine.line.mend(); // a daemon that cannot reach its store does not start
    await machine.daemon.start();
  }
  machine.stands = "up";
}

/** All faults have ended. Every prompt has been sent, and every turn comes to its end. */
async function settle(machine: Machine): Promise<void> {
  machine.line.mend();
  await wake(machine);
  for (const prompt of machine.prompts) await expect.poll(() => send(machine, prompt).then(() => "sent", String)).toBe("sent");
  const { session } = machine;
  const isDone = () => machine.prompts.every(({ promptId }) => endOf(session.events, promptId)) && !session.state.turn;
  while (!isDone()) {
    await session.until("a request or the end", ({ state }) => openRequests(state).length > 0 || isDone());
    for (const request of openRequests(session.state)) await answer(machine, request, false).catch(() => undefined); // a grant has answered it
    await new Promise((rest) => setTimeout(rest, 20));
  }
}

const endOf = (events: readonly LoggedEvent[], promptId: string): boolean =>
  events.some((event) => event.type === "prompt.delivered" && event.promptIds.some((id) => id === promptId));

/** The broken promises, as seen from the store. */
async function broken(machines: readonly Machine[], url: string): Promise<string[]> {
  const store = createClient({ url });
  const found: string[] = [];
  for (const { session, prompts, daemon } of machines) {
    const read = { sql: "SELECT seq, data FROM event WHERE stream_id = ? ORDER BY seq", args: [session.id] };
    const { rows } = await store.execute(read);
    const events = rows.map((row) => JSON.parse(String(row["data"])) as SessionEvent);
    const seqs = rows.map((row) => Number(row["seq"]));
    if (seqs.some((seq, i) => seq !== i + 1)) found.push(`P1: ${session.id} has gaps`);
    await session.until("all of the log", (each) => each.events.length >= seqs.length);
    const seen = session.events.slice(0, seqs.length).map(({ type, seq }) => `${seq} ${type}`);
    if (seen.join() !== events.map(({ type }, i) => `${i + 1} ${type}`).join())
      found.push(
        `P6: a client saw another ${session.id}: ${seen.join()} where the log has ${events.map(({ type }, i) => `${i + 1} ${type}`).join()}`,
      );
    for (const { promptId } of prompts) {
      const times = events.filter((event) => event.type === "prompt.received" && event.promptId === promptId).length;
      if (times !== 1) found.push(`P1: a prompt is in the log ${times} times`);
    }
    const made = daemon.read("made").split("\n").filter(Boolean);
    if (new Set(made).size !== made.length) found.push(`P2: a command ran twice: ${made.join(" ")}`);
    const owners = (await store.execute({ sql: "SELECT daemon FROM owner WHERE stream_id = ?", args: [session.id] })).rows;
    const [created] = events;
    if (created?.type !== "session.created" || owners.some((row) => row["daemon"] !== created.machine?.id))
      found.push(`P2: ${session.id} was written by another machine`);
  }
  store.close();
  const grants = await Promise.all(machines.map(async (machine) => (await grantsOf(machine)).map(({ id }) => id).toSorted()));
  if (new Set(grants.map((ids) => ids.join())).size !== 1) found.push(`P9: the grants differ: ${JSON.stringify(grants)}`);
  return found;
}

async function live(seed: number): Promise<string[]> {
  const draw = drawsOf(seed);
  await using server = await StoreServer.start();
  await using things = new AsyncDisposableStack();
  const machines: Machine[] = [];
  for (let i = 0; i < 2 + (seed % 2); i++) {
    const line = things.use(await Line.to(server.url));
    const config = {
      permissions: [
        { action: "command", resource: "echo *", effect: "allow" },
        { action: "edit", resource: "*", effect: "allow" },
      ],
    };
    const skew = (draw(3) - 1) * 45_000;
    const daemon = things.use(await TestDaemon.start({ env: { BATON_DATABASE_URL: line.url }, config, args: late(skew) }));
    const replies = Array.from({ length: 60 }, (_, n) => [
      { calls: [{ tool: "run_command", input: { command: `echo ${n} >> made` } }] },
      { calls: [{ tool: "run_command", input: { command: `chmod u+${"rwx"[n % 3]} made` } }], delayMs: draw(50) },
      { text: "done" },
    ]).flat();
    machines.push({ daemon, line, session: await daemon.session({ model: script(daemon, replies) }), stands: "up", prompts: [] });
  }
  for (let i = 0; i < STEPS; i++) {
    const machine = machines[draw(machines.length)];
    if (machine) await step(machine, draw);
    await new Promise((rest) => setTimeout(rest, draw(200)));
  }
  for (const machine of machines) await settle(machine);
  const found = await broken(machines, server.url);
  for (const { daemon } of machines) process.kill(daemon.pid, "SIGCONT");
  return found.map((what) => `seed ${seed}: ${what}`);
}

test.runIf(storeServer)(
  `in ${LIVES} lives of two and three daemons on one server, with cuts, sleep, kills and wrong clocks, no promise is broken`,
  { timeout: 60_000 + LIVES * 120_000 },
  async () => {
    const found: string[] = [];
    let seed = FIRST;
    const lives = async () => {
      while (seed < FIRST + LIVES) {
        const own = seed++;
        found.push(...(await live(own).catch((error: unknown) => [`seed ${own}: ${String(error)}`])));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lives)); // most of the time is waiting
    record({ row: "41", tried: LIVES, lost: found.length });
    expect(found).toEqual([]);
  },
);
