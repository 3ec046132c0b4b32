import type { Api } from "../../src/client/index.ts";
import { script } from "./script.ts";

const call = (tool: string, input: object) => ({ tool, input });

/**
 * The requests in a session that goes through the modes, in order: the heading of the request, the position of the chosen answer or the
 * user's text, and the mode in which the work then waits or ends.
 */
export const walk: readonly { asked: string; choice?: number; own?: string; mode: string }[] = [
  { asked: "Which colour?", choice: 2, mode: "build" },
  { asked: "Plan before building?", choice: 1, mode: "plan" },
  { asked: "Build this plan?", own: "name the tests", mode: "plan" },
  { asked: "Build this plan?", choice: 1, mode: "coordinator" },
  { asked: "Switch from Build to Debug?", choice: 2, mode: "build" },
];

export const walked = {
  last: "I leave it at that.",
  switches: [
    "build > plan (enter_plan)",
    "plan > build (exit_plan)",
    "build > coordinator (coordination)",
    "coordinator > build (coordination)",
  ],
};

/** Starts that session. `folder` is the folder for its script. */
export async function beginWalk(api: Api, workspace: string, folder: string): Promise<string> {
  const { id } = await api.session.create.mutate({ commandId: crypto.randomUUID(), workspace, mode: "build" });
  const model = script({ root: folder }, [
    {
      calls: [call("ask_followup_question", { question: "Which colour?", follow_up: [{ text: "Red" }, { text: "Blue", mode: "debug" }] })],
    },
    { calls: [call("enter_plan", {})] },
    { calls: [call("write_file", { path: `.baton/plans/${id}.md`, content: "# Paint it blue\n\nIn two coats." })] },
    { calls: [call("exit_plan", {})] },
    { calls: [call("exit_plan", {})] },
    { calls: [call("attempt_completion", { result: "I cannot go on.", outcome: "blocked", needs: "somebody who finds the fault" })] },
    { calls: [call("switch_mode", { mode_slug: "debug", reason: "there is a fault to find" })] },
    { calls: [call("coordinate_mode", { outcome: "return", reason: "the person wants it to stay" })] },
    { text: walked.last },
  ]);
  const wish = { type: "prompt" as const, promptId: crypto.randomUUID(), text: "paint it", model, delivery: "queue" as const };
  await api.session.send.mutate({ sessionId: id, commandId: crypto.randomUUID(), wish });
  return id;
}

/** The changes of a session's mode, in short. */
export async function switchesOf(api: Api, sessionId: string): Promise<string[]> {
  const { events } = await api.session.open.query({ sessionId, tail: 1_000 });
  return events.flatMap((event) => (event.type === "mode.changed" ? [`${event.from} > ${event.to} (${event.origin})`] : []));
}
