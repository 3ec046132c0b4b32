import type { PromptId } from "@baton/core/protocol/ids";
import { openRequests } from "@baton/core/session/state";
import type { TestDaemon } from "../support/daemon.ts";
import { TestSession } from "../support/session.ts";

/** One session under load. Two clients see it and answer it. `accepted` are the prompts that the daemon accepted. */
export type Loaded = { id: string; seen: [TestSession, TestSession]; accepted: PromptId[] };

const PATIENCE_MS = 180_000;
const FOR_EVER_MS = 3_600_000;

/** Sessions that get one job after the other, whatever happens to the daemon. */
export class Load {
  readonly sessions: Loaded[] = [];
  readonly #jobs: Promise<void>[] = [];
  #ending = false;

  /** Starts this many sessions, each with the same two clients. */
  static async begin(daemon: TestDaemon, count: number): Promise<Load> {
    const load = new Load();
    const [ann, ben] = [daemon.connect("ann").api, daemon.connect("ben").api];
    for (let n = 1; n <= count; n++) {
      const commandId = crypto.randomUUID();
      const { id } = await ann.session.create.mutate({ commandId, workspace: daemon.workspace });
      const loaded: Loaded = { id, seen: [new TestSession(ann, id), new TestSession(ben, id)], accepted: [] };
      load.sessions.push(loaded);
      load.#jobs.push(load.#giveJobs(loaded, n));
      for (const session of loaded.seen) answerAll(session).catch(() => undefined); // an unanswered request delays its job, which becomes visible
    }
    return load;
  }

  /** Starts no more jobs. Resolves when the last ones have ended, with any result. */
  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#jobs);
  }

  async #giveJobs({ seen: [session], accepted }: Loaded, n: number): Promise<void> {
    for (let job = 1; !this.#ending; job++) {
      const promptId = `job-${n}-${job}` as PromptId;
      const commandId = crypto.randomUUID();
      await session.wish({ type: "prompt", promptId, text: `job ${n}-${job}`, delivery: "queue" }, commandId);
      accepted.push(promptId);
      await session.until(`the end of job ${n}-${job}`, ({ state }) => state.turns >= job && !state.turn, PATIENCE_MS);
    }
  }
}

/** Answers the requests. Two clients do so at once. One of them is too late, and gets a refusal. */
async function answerAll(session: TestSession): Promise<void> {
  for (;;) {
    await session.until("a request", ({ state }) => openRequests(state).length > 0, FOR_EVER_MS);
    const [request] = openRequests(session.state);
    const wish = { commandId: crypto.randomUUID(), requestId: request?.id ?? "", answer: { choice: "once" } };
    await session.api.request.answer.mutate(wish).catch(() => undefined); // the other client was first
    await session.until("its answer", ({ state }) => !openRequests(state).some(({ id }) => id === request?.id), FOR_EVER_MS);
  }
}
