import { toolFields } from "@baton/core/tool/tool-table";
import { toolArguments } from "../input-schema.ts";
import { askingTool, ok } from "../tool-types.ts";
import { resolveOtherMode } from "./resolve-mode.ts";
import { describeSwitch, refusedSwitch } from "./switch-mode.ts";

const PLAN = "plan";

export const enterPlan = askingTool({
  ...toolFields("enter_plan"),
  description:
    "Ask the user to plan first. Call it before work that is complex, touches many files or leaves choices open. Do not call it for simple work, or if a plan already exists.",
  input: toolArguments({}),
  label: () => ({ verb: "plan", object: "first" }),
  access: () => [{ action: "enter_plan", resource: PLAN }],
  unasked: { choice: "accept" },
  ask: (_, context) => {
    const other = resolveOtherMode(PLAN, context);
    if ("outcome" in other) return other;
    return {
      kind: "question",
      header: "Plan first",
      text: "Plan before building?",
      view: { type: "text", text: describeSwitch(other.to, undefined, context), format: "markdown" },
      choices: [
        { id: "accept", label: "Plan first", description: "Research and write a plan. Nothing else changes until you accept it." },
        { id: "stay", label: "Go on without", description: `Stays in ${context.mode.name}.` },
      ],
      freeText: true,
    };
  },
  answered: (_, answer, context) => {
    const other = resolveOtherMode(PLAN, context);
    if ("outcome" in other) return other;
    if (answer.choice !== "accept") return refusedSwitch(context, answer);
    return {
      ...ok(`The session is now in ${PLAN}.`, { end: PLAN }),
      transition: {
        to: PLAN,
        origin: "enter_plan",
        prompt: `Plan the work before you do it. Write the plan to ${context.plan.path}, then call exit_plan.`,
      },
    };
  },
});
