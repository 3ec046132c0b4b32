import type { Mode } from "@baton/core/protocol/mode";
import { toolArguments } from "./arguments.ts";
import { askingTool, failed, ok, type AskContext, type Concluded } from "./define.ts";

export const exitPlan = askingTool({
  name: "exit_plan",
  group: "plan",
  action: "exit_plan",
  description:
    "Show the finished plan to the person and ask to build it. Call it when the plan file is complete and all questions are settled, not before.",
  input: toolArguments({}),
  label: () => ({ verb: "show", object: "the plan" }),
  access: () => [{ action: "exit_plan", resource: "plan" }],
  unasked: { choice: "accept" },
  ask: (_, context) => {
    const there = planned(context);
    if ("outcome" in there) return there;
    const name = there.to.name;
    return {
      kind: "question",
      header: "Leave plan",
      text: "Build this plan?",
      view: { type: "text", text: context.plan.text, format: "markdown" },
      choices: [
        { id: "accept", label: `Start building`, description: `Switches to ${name}. Edits and commands ask as usual.` },
        {
          id: "accept_with_grants",
          label: "Start building, edits allowed",
          description: `Switches to ${name}. Edits in this session do not ask.`,
        },
        { id: "stay", label: "Keep planning", description: "Stays in plan. A note tells the agent what to change." },
      ],
      freeText: true,
    };
  },
  answered: (_, { choice, note, text }, context) => {
    const there = planned(context);
    if ("outcome" in there) return there;
    if (choice !== "accept" && choice !== "accept_with_grants") return keepsPlanning(note ?? text);
    const { to } = there;
    return {
      ...ok(`The plan was accepted. The session is in ${to.slug} now.`, { end: "accepted" }),
      transition: { to: to.slug, origin: "exit_plan", prompt: `The person approved the plan in ${context.plan.path}. Build it.` },
      ...(choice === "accept_with_grants" ? { grants: [{ action: "edit", resource: "*", effect: "allow" }] } : {}),
    };
  },
});

const BUILD = "build";

/** The mode that builds: the one that planning was entered from. Without a plan of some words there is nothing to build. */
function planned({ plan, modes, returnTo = BUILD }: AskContext): { to: Mode } | Concluded {
  if (!/\p{L}{2}/u.test(plan.text)) return failed(`There is no plan yet. Write it to ${plan.path}, then call exit_plan.`);
  const to = modes.find(({ slug }) => slug === returnTo) ?? modes.find(({ slug }) => slug === BUILD);
  return to ? { to } : failed(`There is no mode ${BUILD} to go on in.`);
}

const keepsPlanning = (said: string | undefined): Concluded =>
  ok(said?.trim() ? `Stays in plan. The person says: ${said}` : "Stays in plan: the plan is to be worked on.", { end: "stays in plan" });
