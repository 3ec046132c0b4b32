import { toolFields } from "@baton/core/tool/tool-table";
import { expandVariables } from "@baton/core/text/slash-command";
import { asSentence } from "@baton/core/text/format";
import type { Mode } from "@baton/core/protocol/mode";
import type { RequestAnswer, RequestChoice } from "@baton/core/protocol/request";
import * as z from "zod";
import { withAlias, toolArguments } from "../input-schema.ts";
import { askingTool, inputField, ok, type AskContext, type QuestionResult } from "../tool-types.ts";
import { resolveOtherMode } from "./resolve-mode.ts";
import { escapeHidden } from "../result-text.ts";

/** `mode` is an older name of `mode_slug`. */
const input = withAlias(
  "mode",
  "mode_slug",
  toolArguments({
    mode_slug: z.string().trim().min(1).describe("slug of the mode to switch to"),
    reason: z.string().optional().describe("why this mode fits"),
  }),
);

export const switchMode = askingTool({
  ...toolFields("switch_mode"),
  description:
    "Switch the work to another mode. The user is asked. Use it when another mode clearly fits the next work, and say why. Call it alone.",
  input,
  label: (input) => ({ verb: "switch to", object: escapeHidden(inputField(input, "mode_slug") || inputField(input, "mode")) }),
  access: ({ mode_slug: slug }) => [{ action: "switch_mode", resource: slug }],
  unasked: { choice: "accept" },
  ask: ({ mode_slug: slug, reason }, context) => {
    const other = resolveOtherMode(slug, context);
    if ("outcome" in other) return other;
    const from = workingMode(context);
    return {
      kind: "question",
      header: "Switch mode",
      text: `Switch from ${from.name} to ${other.to.name}?`,
      view: { type: "text", text: describeSwitch(other.to, reason, { ...context, mode: from }), format: "markdown" },
      choices: choicesOf(other.to, from),
      freeText: true,
    };
  },
  answered: ({ mode_slug: slug, reason }, answer, context) => {
    const other = resolveOtherMode(slug, context);
    if ("outcome" in other) return other;
    return answer.choice === "accept" ? switched(other.to, reason, context) : refusedSwitch(context, answer);
  },
});

/** The mode of the work. The coordinator only decides for the mode that called it. */
const workingMode = ({ mode, modes, returnPoints }: AskContext): Mode =>
  (mode.slug === "coordinator" ? modes.find(({ slug }) => slug === returnPoints.at(-1)) : undefined) ?? mode;

function switched(to: Mode, reason: string | undefined, { mode }: AskContext): QuestionResult {
  return {
    ...ok(`The session is now in ${to.slug}. ${to.description}`, { end: to.slug }),
    transition: {
      to: to.slug,
      origin: "switch_mode",
      reason,
      prompt: `The mode has changed from ${mode.slug} to ${to.slug}${asSentence(reason ? `: ${reason}` : ".")} Continue with the user's request.`,
    },
  };
}

/** A refused switch is an ordinary result. */
export function refusedSwitch(context: AskContext, { note, text }: RequestAnswer): QuestionResult {
  const { slug } = workingMode(context);
  const end = `stays in ${slug}`;
  if (context.unattended) return ok(`No user is there to approve the switch, so the session stays in ${slug}.`, { end });
  const words = (note ?? text)?.trim();
  return ok(`The user refused the switch. The session stays in ${slug}.${words ? ` The user says: ${words}` : ""}`, { end });
}

const choicesOf = (to: Mode, from: Mode): RequestChoice[] => [
  { id: "accept", label: `Switch to ${to.name}`, description: to.description },
  { id: "stay", label: `Stay in ${from.name}`, description: "Nothing changes." },
];

/** The differences of the new mode: role, tools gained and lost, model, instructions. Markdown. */
export function describeSwitch(to: Mode, reason: string | undefined, { mode, plan, toolsOf, modelOf }: AskContext): string {
  const filled = (text: string) => expandVariables(text, { ...to.variables, planFile: plan.path, mode: to.slug });
  const before = toolsOf(mode);
  const after = toolsOf(to);
  const gained = after.filter((name) => !before.includes(name));
  const lost = before.filter((name) => !after.includes(name));
  const modelBefore = modelOf(mode);
  const modelAfter = modelOf(to);
  const rows = [
    reason?.trim() ? `**Reason** ${reason.trim()}` : "",
    `**${to.name}** ${to.description}`,
    `**Role** ${filled(to.roleDefinition)}`,
    gained.length > 0 ? `**Tools gained** ${gained.map(code).join(" ")}` : "",
    lost.length > 0 ? `**Tools lost** ${lost.map(code).join(" ")}` : "",
    modelBefore === modelAfter ? "" : `**Model** ${modelBefore ?? "none"} → ${modelAfter ?? "none"}`,
    to.customInstructions ? `**Instructions**\n\n${filled(to.customInstructions)}` : "",
  ];
  return rows.filter((row) => row !== "").join("\n\n");
}

const code = (name: string): string => `\`${name}\``;
