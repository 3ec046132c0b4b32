import * as z from "zod";
import { asSentence } from "@baton/core/text/format";
import { toolArguments } from "../arguments.ts";
import { askingTool, failed, field, ok, type AskContext, type QuestionResult } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";

export const coordinateMode = askingTool({
  name: "coordinate_mode",
  group: "coordinator",
  action: "coordinate_mode",
  description:
    "End coordination without a switch: the work goes on where coordination was asked for. `stay` when that mode can do the work after all, `return` when the work has to do without. Say why. Call it alone.",
  input: toolArguments({
    outcome: z.enum(["stay", "return"]),
    reason: z.string().trim().min(1, "must not be empty"),
  }),
  label: (input) => ({ verb: field(input, "outcome") || "coordinate", object: escapeHidden(field(input, "reason")) }),
  access: () => [{ action: "coordinate_mode", resource: "*" }],
  ask: (input, context) => end(input, context),
  answered: (input, _, context) => end(input, context),
});

/** Going back gives only what the session had before, so nobody is asked. */
function end(
  { outcome, reason }: { outcome: "stay" | "return"; reason: string },
  { mode, modes, returnPoints }: AskContext,
): QuestionResult {
  const back = modes.find(({ slug }) => slug === returnPoints.at(-1));
  if (!back && outcome === "return")
    return failed("No other mode asked for coordination, so there is none to return to. Go on here or switch.");
  if (!back) return ok(`Stays in ${mode.slug}: ${reason}`);
  const prompt =
    outcome === "stay"
      ? `Coordination is over; the mode stays ${back.slug}: ${asSentence(reason)} Go on with the tools that you have.`
      : `Coordination is over, and there is no switch of mode: ${asSentence(reason)} Go on in ${back.slug} without it, or end the turn and say what is missing.`;
  return { ...ok(`Back to ${back.slug}: ${reason}`), transition: { to: back.slug, origin: "coordination", reason, prompt } };
}
