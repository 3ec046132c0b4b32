import type { SessionId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import { refuse } from "@baton/core/protocol/refusal";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { openAutoAnswer } from "./auto-answer-questions.ts";
import { ChangeSignal } from "../../session/change-signal.ts";

/** Questions that have waited for a long time, the oldest first. */
const question = (name: string, openedAt: number) => ({
  sessionId: name as SessionId,
  request: {
    id: `${name}-q`,
    kind: "question",
    tool: "ask_followup_question",
    openedAt,
    choices: [{ id: "1", label: "this" }],
  } as unknown as Request,
});

function watching(lists: { requests: () => Promise<ReturnType<typeof question>[]> }) {
  const tried: string[] = [];
  const told: string[] = [];
  const inbox = new ChangeSignal();
  const find = async (id: SessionId) => ({
    handle: async () => {
      tried.push(id);
      if (id === "faulty") throw new Error("no store");
      return id === "later" ? refuse("session_read_only", "no") : { seq: 1 };
    },
  });
  const { close } = openAutoAnswer({
    sessions: { lists, find, changes: { inbox } },
    afterMs: () => 10,
    clock: systemClock,
    report: (_, error) => told.push(String(error)),
  });
  return { tried, told, inbox, [Symbol.dispose]: close };
}

test("a question that cannot be answered delays no other one, and Baton tries it again only later", async () => {
  let open = [question("later", 1), question("faulty", 2), question("good", 3)];
  using watch = watching({
    requests: async () => {
      await Promise.resolve();
      if (watch.tried.includes("good")) open = open.filter(({ sessionId }) => sessionId !== "good");
      return open;
    },
  });
  await vi.waitFor(() => expect(watch.tried).toContain("good"));
  for (let i = 0; i < 3; i++) {
    watch.inbox.wake();
    await new Promise((rest) => setTimeout(rest, 20));
  }
  expect(watch.tried).toEqual(["later", "faulty", "good"]);
  expect(watch.told).toEqual(["Error: no store"]);
});

test("a read of the requests that fails does not end the watch", async () => {
  let looks = 0;
  using watch = watching({
    requests: async () => {
      if (++looks === 1) throw new Error("no store");
      return [question("good", 1)];
    },
  });
  await vi.waitFor(() => expect(watch.told).toHaveLength(1));
  watch.inbox.wake();
  await vi.waitFor(() => expect(watch.tried).toContain("good"));
});
