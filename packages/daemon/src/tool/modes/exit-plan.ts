import type { Mode } from "@baton/core/protocol/mode";
import { toolArguments } from "../arguments.ts";
import { refusedSwitch } from "./switch-mode.ts";
import { askingTool, failed, ok, type AskContext, type QuestionResult } from "../tool-types.ts";

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
    const plan = planned(context);
    if ("outcome" in plan) return plan;
    const [to, ...others] = plan.to;
    return {
      kind: "question",
      header: "Leave plan",
      text: "Build this plan?",
      view: { type: "text", text: context.plan.text, format: "markdown" },
      choices: [
        { id: "accept", label: `Start building`, description: `Switches to ${to.name}. Edits and commands ask as usual.` },
        {
          id: "accept_with_grants",
          label: "Start building, edits allowed",
          description: `Switches to ${to.name}. Edits in this session do not ask.`,
        },
        ...others.map(({ slug, name, description }) => ({ id: `${IN}${slug}`, label: `Start building in ${name}`, description })),
        { id: "stay", label: "Keep planning", description: "Stays in plan. A note tells the agent what to change." },
      ],
      freeText: true,
    };
  },
  answered: (_, answer, context) => {
    const { choice, note, text } = answer;
    const plan = planned(context);
    if ("outcome" in plan) return plan;
    const isAccepted = choice === "accept" || choice === "accept_with_grants";
    const to = isAccepted ? plan.to[0] : plan.to.find(({ slug }) => choice === `${IN}${slug}`);
    if (!to) return context.unattended ? refusedSwitch(context, answer) : keepsPlanning(note ?? text);
    return {
      ...ok(`The plan was accepted. The session is in ${to.slug} now.`, { end: "accepted" }),
      transition: { to: to.slug, origin: "exit_plan", prompt: `The person approved the plan in ${context.plan.path}. Build it.` },
      ...(choice === "accept_with_grants" ? { grants: [{ action: "edit", resource: "*", effect: "allow" }] } : {}),
    };
  },
});

/** Begins the id of a choice that names the mode to build in. */
const IN = "accept_in_";
const MAX_MODES = 4;
/** Built-in modes that build, in the order in which Baton prefers them. */
const PREFERRED: readonly string[] = ["build", "code"];

/**
 * The modes that can build the plan, the best first. The mode that planning was entered from is the only one if it can
 * build; otherwise the person chooses. Without a plan of some words there is nothing to build.
 */
function planned({ plan, modes, returnPoints, mode }: AskContext): { to: [Mode, ...Mode[]] } | QuestionResult {
  if (!/\p{L}{2}/u.test(plan.text)) return failed(`There is no plan yet. Write it to ${plan.path}, then call exit_plan.`);
  const building = modes.filter((each) => each.slug !== mode.slug && canBuild(each));
  const from = returnPoints.toReversed().flatMap((slug) => building.find((each) => each.slug === slug) ?? []);
  if (from[0]) return { to: [from[0]] };
  const preferred = PREFERRED.flatMap((slug) => building.find((each) => each.slug === slug) ?? []);
  const [to, ...others] = [...preferred, ...building.filter((each) => !preferred.includes(each))].slice(0, MAX_MODES);
  return to ? { to: [to, ...others] } : failed("No mode can edit files, so nobody can build the plan. Ask the person for such a mode.");
}

/** A mode that edits without limits, and that a session may be in. */
const canBuild = ({ groups, kind }: Mode): boolean => kind !== "subagent" && groups.includes("edit");

const keepsPlanning = (said: string | undefined): QuestionResult =>
  ok(said?.trim() ? `Stays in plan. The person says: ${said}` : "Stays in plan: the plan is to be worked on.", { end: "stays in plan" });
