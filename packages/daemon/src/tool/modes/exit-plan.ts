import { toolFields } from "@baton/core/tool/tool-table";
import type { Mode } from "@baton/core/protocol/mode";
import { toolArguments } from "../input-schema.ts";
import { refusedSwitch } from "./switch-mode.ts";
import { askingTool, failed, ok, type AskContext, type QuestionResult } from "../tool-types.ts";

export const exitPlan = askingTool({
  ...toolFields("exit_plan"),
  description:
    "Show the finished plan to the user and ask to build it. Call it only when the plan file is complete and all questions are settled.",
  input: toolArguments({}),
  label: () => ({ verb: "show", object: "the plan" }),
  access: () => [{ action: "exit_plan", resource: "plan" }],
  unasked: { choice: "accept" },
  ask: (_, context) => {
    const plan = planTargets(context);
    if ("outcome" in plan) return plan;
    const [to, ...others] = plan.to;
    return {
      kind: "question",
      header: "Build this plan?",
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
    const plan = planTargets(context);
    if ("outcome" in plan) return plan;
    const isAccepted = choice === "accept" || choice === "accept_with_grants";
    const to = isAccepted ? plan.to[0] : plan.to.find(({ slug }) => choice === `${IN}${slug}`);
    if (!to) return context.unattended ? refusedSwitch(context, answer) : keepsPlanning(note ?? text);
    return {
      ...ok(`The user accepted the plan. The session is now in ${to.slug}.`, { end: "accepted" }),
      transition: { to: to.slug, origin: "exit_plan", prompt: `The user approved the plan in ${context.plan.path}. Build it.` },
      ...(choice === "accept_with_grants" ? { grants: [{ action: "edit", resource: "*", effect: "allow" }] } : {}),
    };
  },
});

/** The prefix of the id of a choice that names the mode to build in. */
const IN = "accept_in_";
const MAX_MODES = 4;
/** Built-in modes that can build, in order of preference. */
const PREFERRED: readonly string[] = ["build", "code"];

/**
 * The modes that can build the plan, best first. If the mode before planning can build, it is the only one; otherwise the user chooses. A
 * plan without words cannot be built.
 */
function planTargets({ plan, modes, returnPoints, mode }: AskContext): { to: [Mode, ...Mode[]] } | QuestionResult {
  if (!/\p{L}{2}/u.test(plan.text)) return failed(`There is no plan yet. Write it to ${plan.path}, then call exit_plan.`);
  const building = modes.filter((each) => each.slug !== mode.slug && canBuild(each));
  const from = returnPoints.toReversed().flatMap((slug) => building.find((each) => each.slug === slug) ?? []);
  if (from[0]) return { to: [from[0]] };
  const preferred = PREFERRED.flatMap((slug) => building.find((each) => each.slug === slug) ?? []);
  const [to, ...others] = [...preferred, ...building.filter((each) => !preferred.includes(each))].slice(0, MAX_MODES);
  return to ? { to: [to, ...others] } : failed("No mode can edit files, so the plan cannot be built. Ask the user for such a mode.");
}

/** True for a mode that can edit without limits and that a session may use. */
const canBuild = ({ groups, kind }: Mode): boolean => kind !== "subagent" && groups.includes("edit");

const keepsPlanning = (note: string | undefined): QuestionResult =>
  ok(note?.trim() ? `Stays in plan. The user says: ${note}` : "Stays in plan. Continue to work on the plan.", { end: "stays in plan" });
