import { expect, test } from "vitest";
import type { PromptId } from "../protocol/ids.ts";
import { returningTo, transition } from "./transition.ts";

const me = { person: "test" };

test("a person's switch is one event that says how long the mode before it lasted", () => {
  expect(transition({ mode: "code", modeSince: 1_000 }, { to: "ask", origin: "user", by: me }, 5_000)).toEqual([
    { type: "mode.changed", from: "code", to: "ask", origin: "user", by: me, tookMs: 4_000 },
  ]);
});

test("where the turn goes on, the daemon says so in the new mode, with the last prompt's model", () => {
  const prompt = { id: "p" as PromptId, text: "Build it." };
  const [, said] = transition({ mode: "plan", modeSince: 0, promptModel: "a/b" }, { to: "build", origin: "exit_plan", by: me, prompt }, 1);
  expect(said).toEqual({
    type: "prompt.received",
    promptId: "p",
    text: "Build it.",
    delivery: "steer",
    mode: "build",
    synthetic: "exit_plan",
    by: { daemon: true },
    model: "a/b",
  });
});

test("leaving a passing mode leads back to where the work was before all of them", () => {
  const afterCoordinator = returningTo("code", undefined);
  expect(returningTo("coordinator", afterCoordinator)).toBe("code");
});
