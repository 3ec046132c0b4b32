import type { Command } from "@baton/core/protocol/command";
import type { PromptId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import { openRequests, type SessionState } from "@baton/core/session/state";
import type { Draws } from "./draws.ts";

/** The knowledge of a client that sends a command: its own fold, which may be late, the sent prompts, and whether files were changed. */
export type Known = { by: string; state: SessionState; prompts: readonly PromptId[]; changedFiles: boolean; nextPrompt: () => PromptId };

/** A command that a client could send at this moment, whether or not it makes sense. */
export function drawWish(draws: Draws, { by: person, state, prompts, changedFiles, nextPrompt }: Known): Command {
  const by = { person };
  const [request] = openRequests(state);
  if (request && draws.happens(700)) return drawAnswer(draws, draws.pick(openRequests(state)), person);
  const kind = draws.weighted({
    prompt: state.turn ? 6 : 40,
    steer: state.turn ? 8 : 2,
    interrupt: state.turn ? 2 : 1,
    switchMode: 3,
    retry: state.step?.phase === "due" ? 10 : 1,
    resume: state.held ? 40 : 1,
    edit: state.queue.length > 0 ? 6 : 1,
    withdraw: state.queue.length > 0 ? 4 : 1,
    coordinate: 2,
    chooseModel: 2,
    rename: 2,
    compact: 3,
    archive: 2,
    rewind: state.turn ? 1 : 4,
    undo: changedFiles ? (state.turn ? 2 : 120) : 1,
    grant: 3,
    revoke: state.grants.length > 0 ? 24 : 1,
    addRoot: 2,
    removeRoot: state.roots.length > 0 ? 12 : 1,
  });
  const prompt = (delivery: "queue" | "steer"): Command => ({
    type: "prompt",
    promptId: nextPrompt(),
    text: "do something",
    delivery,
    by,
    ...(draws.happens(100) ? { mode: draws.pick(["code", "ask", "orchestrator", "plan", "build"]) } : {}),
    ...(draws.happens(60) ? { stepLimit: 2 } : {}),
    ...(draws.happens(60) ? { model: "sim/b" } : {}),
  });
  const somePrompt = () => state.queue[0]?.promptId ?? (prompts.length > 0 ? draws.pick(prompts) : ("none" as PromptId));
  switch (kind) {
    case "prompt":
      return prompt("queue");
    case "steer":
      return prompt("steer");
    case "interrupt":
      return { type: "interrupt", by };
    case "switchMode":
      return { type: "switchMode", mode: draws.pick(["code", "ask", "plan", "orchestrator", "debug", "coordinator", "nowhere"]), by };
    case "retry":
      return { type: "retry", by };
    case "resume":
      return { type: "resume", by };
    case "edit":
      return { type: "editPrompt", promptId: somePrompt(), text: "do something else", by };
    case "withdraw":
      return { type: "withdrawPrompt", promptId: somePrompt(), by };
    case "coordinate":
      return { type: "coordinate", promptId: nextPrompt(), by };
    case "chooseModel":
      return { type: "chooseModel", model: draws.pick(["sim/a", "sim/b", "sim/none"]), by };
    case "compact":
      return { type: "compact", by };
    case "rename":
      return { type: "rename", title: "A name", by };
    case "archive":
      return { type: "archive", archived: draws.happens(500), by };
    case "rewind":
      return { type: "rewind", promptId: prompts.length > 0 ? draws.pick(prompts) : ("none" as PromptId), by };
    case "undo":
      return { type: "undo", conversation: draws.happens(400), by };
    case "grant":
      return {
        type: "grant",
        grantId: `own-${draws.happens(500) ? 1 : 2}`,
        rule: { action: "edit", resource: "*", effect: draws.pick(["allow", "ask", "deny"]) },
        by,
      };
    case "revoke":
      return { type: "revokeGrant", grantId: state.grants[0]?.id ?? "none", by };
    case "addRoot":
      return { type: "addRoot", path: draws.pick(["/library", "/reference"]), readOnly: draws.happens(500), by };
    case "removeRoot":
      return { type: "removeRoot", path: state.roots[0]?.path ?? "/none", by };
  }
}

/** An answer to this request: mostly an offered choice. */
export function drawAnswer(draws: Draws, request: Request, person: string): Command {
  const answer = { type: "answer", requestId: request.id, by: { person } } as const;
  const how = draws.weighted({ fits: 16, text: request.freeText ? 3 : 0, wrong: 1, stale: 1 });
  switch (how) {
    case "fits":
      return {
        ...answer,
        answer: { choice: draws.pick(request.choices).id, ...(request.hash === undefined ? {} : { hash: request.hash }) },
      };
    case "text":
      return { ...answer, answer: { text: "as you like" } };
    case "wrong":
      return { ...answer, answer: { choice: "no such choice" } };
    case "stale":
      return { ...answer, answer: { choice: request.choices[0]?.id ?? "", hash: "0".repeat(64) } };
  }
}
