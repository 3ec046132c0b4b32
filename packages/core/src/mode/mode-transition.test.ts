import { expect, test } from "vitest";
import type { PromptId } from "../protocol/ids.ts";
import { builtinModes } from "./builtin-modes.ts";
import { returnPointsAfter, transitionEvents, type ReturnPoint } from "./mode-transition.ts";

const me = { person: "test" };

test("a switch by the user is one event with the duration of the previous mode", () => {
  expect(transitionEvents({ mode: "code", modeSince: 1_000 }, { to: "ask", origin: "user", by: me }, 5_000)).toEqual([
    { type: "mode.changed", from: "code", to: "ask", origin: "user", by: me, tookMs: 4_000 },
  ]);
});

test("if the turn continues, the daemon announces the new mode in it, with the last prompt's model", () => {
  const prompt = { id: "p" as PromptId, text: "Build it." };
  const [, announcement] = transitionEvents(
    { mode: "plan", modeSince: 0, promptModel: "a/b" },
    { to: "build", origin: "exit_plan", by: me, prompt },
    1,
  );
  expect(announcement).toEqual({
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

const slugs = builtinModes.map(({ slug }) => slug);
const detours = ["coordinator", "plan", "configuration"];
const others = slugs.filter((slug) => !detours.includes(slug));

/** The return points after a session went through these modes, each of which the user entered. */
const after = (...path: string[]): readonly ReturnPoint[] =>
  path
    .slice(1)
    .reduce<readonly ReturnPoint[]>((points, to, i) => returnPointsAfter(points, { from: path[i] ?? "", to, origin: "user" }), []);

test("coordination returns to the mode that called it, however the session leaves coordination", () => {
  for (const first of slugs)
    for (const second of slugs)
      for (const third of slugs) {
        if (first === second || second === third || third === "coordinator") continue;
        const before = after(first, second, third);
        const inside = returnPointsAfter(before, { from: third, to: "coordinator", origin: "coordination" });
        expect(inside.at(-1)).toEqual({ mode: third, origin: "coordination" });
        expect(returnPointsAfter(inside, { from: "coordinator", to: third, origin: "coordination" })).toEqual(before);
      }
});

test("a detour inside a detour leads back through both, and entering a normal mode ends them", () => {
  for (const base of others) {
    expect(after(base, "plan", "configuration").map(({ mode }) => mode)).toEqual([base, "plan"]);
    expect(after(base, "plan", "configuration", "plan").map(({ mode }) => mode)).toEqual([base]);
    expect(after(base, "plan", "configuration", "coordinator", "plan").map(({ mode }) => mode)).toEqual([base]);
    for (const end of others) expect(after(base, "plan", "configuration", end)).toEqual([]);
  }
});

test("a mode that the coordinator switches to never leads back to the coordinator", () => {
  const inside = returnPointsAfter([], { from: "ask", to: "coordinator", origin: "coordination" });
  const switched = returnPointsAfter(inside, { from: "coordinator", to: "plan", origin: "switch_mode" });
  expect(switched.map(({ mode }) => mode)).toEqual(["ask"]);
});
