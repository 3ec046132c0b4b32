import { existsSync } from "node:fs";
import path from "node:path";
import { builtinModes } from "@baton/core/mode/builtin-modes";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

type Replies = Parameters<typeof script>[1];
const call = (tool: string, input: object) => ({ tool, input });
const end = (outcome: "stay" | "return") => ({ calls: [call("coordinate_mode", { outcome, reason: "Reading is enough." })] });
const switchTo = (mode: string) => ({ calls: [call("switch_mode", { mode_slug: mode })] });
const blocked = { calls: [call("attempt_completion", { result: "I cannot.", outcome: "blocked", needs: "another mode" })] };
const write = { calls: [call("write_file", { path: "unasked.txt", content: "x" })] };

/** A tool that the mode does not have. */
const lackingIn = (mode: string) => {
  if (mode === "orchestrator") return write;
  return { calls: [mode === "code" ? call("enter_plan", { reason: "x" }) : call("new_task", { mode: "code", message: "x" })] };
};

/** Every way out of coordination without an approved switch: the model's replies from the missing call on, and the user's actions. */
const waysOut: Record<string, { replies: Replies; act?: (session: TestSession) => Promise<unknown> }> = {
  "the coordinator stays": { replies: [end("stay"), { text: "Well." }] },
  "the coordinator returns": { replies: [end("return"), { text: "Well." }] },
  "the coordinator only talks": { replies: [{ text: "I do not know." }] },
  "the coordinator is blocked itself": { replies: [blocked] },
  "the user stays": { replies: [switchTo("code"), { text: "Well." }], act: (session) => session.answer({ choice: "stay" }) },
  "the user answers with a text": {
    replies: [switchTo("code"), end("stay"), { text: "Well." }],
    act: (session) => session.answer({ text: "no" }),
  },
  "the user denies": {
    replies: [switchTo("code"), end("return"), { text: "Well." }],
    act: (session) => session.answer({ choice: "stay", note: "no" }),
  },
  "the user interrupts": { replies: [switchTo("code"), { text: "Well." }], act: (session) => session.wish({ type: "interrupt" }) },
  "the model has no more replies": { replies: [] },
};

/** A push tests each pair of modes with a third of the ways out, each with one of the three ways in, so it covers every pair of two choices. The nightly run tests all of them. */
const EVERY_PAIR = Boolean(process.env["BATON_EVERY_PAIR"]);

const starts = builtinModes.filter(({ kind }) => kind !== "subagent").map(({ slug }) => slug);
const modes = starts.filter((slug) => slug !== "coordinator");

test("a session returns to the mode of the user, however the session leaves coordination", { timeout: 300_000 }, async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  const differing: string[] = [];
  const tryOne = async (start: string, mode: string, raise: "lack" | "blocked" | "wish", way: string) => {
    const { replies, act } = waysOut[way] ?? { replies: [] };
    const first = raise === "lack" ? [lackingIn(mode)] : raise === "blocked" ? [blocked] : [];
    const session = await daemon.session({ mode: start, model: script(daemon, [...first, ...replies]) });
    if (mode !== start) await session.wish({ type: "switchMode", mode });
    if (raise === "wish") await session.wish({ type: "coordinate", promptId: crypto.randomUUID() });
    else await session.prompt("do it");
    if (act) {
      await session.untilOpen();
      await act(session);
    }
    await session.untilEnd();
    if (session.state.mode !== mode) differing.push(`${start}, ${mode}, ${raise}, ${way}: ends in ${session.state.mode}`);
    session[Symbol.dispose]();
  };
  const raises = ["lack", "blocked", "wish"] as const;
  for (const [i, start] of starts.entries())
    for (const [j, mode] of modes.entries())
      await Promise.all(
        Object.keys(waysOut).flatMap((way, k) =>
          raises
            .filter((_, n) => EVERY_PAIR || ((i + j + k) % 3 === 0 && (i + Math.floor(k / 3)) % raises.length === n))
            .map((raise) => tryOne(start, mode, raise, way)),
        ),
      );
  expect(differing).toEqual([]);
});

test("a session that the user put into plan stays in plan, so no file is written without an approval", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  const model = script(daemon, [lackingIn("plan"), end("stay"), write, { text: "Well." }]);
  const session = await daemon.session({ mode: "code", model });
  await session.runTurn("plan it", 1, { mode: "plan" });
  expect(session.state.mode).toBe("plan");
  expect(existsSync(path.join(daemon.workspace, "unasked.txt"))).toBe(false);
});

test("a fork of a session in coordination starts in the mode that called coordination", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ mode: "plan", model: script(daemon, [lackingIn("plan"), switchTo("code")]) });
  await session.prompt("plan it");
  await session.untilOpen();
  const { id } = await session.api.session.fork.mutate({ sessionId: session.id, commandId: crypto.randomUUID() });
  using fork = daemon.attach(id);
  await fork.until("the fork", ({ state }) => state.created && state.title !== "");
  expect([fork.state.mode, fork.state.turn]).toEqual(["plan", undefined]);
});
