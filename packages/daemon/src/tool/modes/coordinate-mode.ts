import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { asSentence } from "@baton/core/text/format";
import { toolArguments } from "../input-schema.ts";
import { askingTool, failed, inputField, ok, type AskContext, type QuestionResult } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";

export const coordinateMode = askingTool({
  ...toolFields("coordinate_mode"),
  description:
    "End coordination without a switch. The work continues in the mode that asked for coordination: `stay` if that mode can do the work after all, `return` if the work must continue without it. Say why. Call it alone.",
  input: toolArguments({
    outcome: z.enum(["stay", "return"]),
    reason: z.string().trim().min(1, "must not be empty"),
  }),
  label: (input) => ({ verb: inputField(input, "outcome") || "coordinate", object: escapeHidden(inputField(input, "reason")) }),
  access: () => [{ action: "coordinate_mode", resource: "*" }],
  ask: (input, context) => end(input, context),
  answered: (input, _, context) => end(input, context),
});

/** Returning only gives back what the session had before, so Baton does not ask. */
function end(
  { outcome, reason }: { outcome: "stay" | "return"; reason: string },
  { mode, modes, returnPoints }: AskContext,
): QuestionResult {
  const back = modes.find(({ slug }) => slug === returnPoints.at(-1));
  if (!back && outcome === "return")
    return failed("No other mode asked for coordination, so there is none to return to. Continue here or switch.");
  if (!back) return ok(`Stays in ${mode.slug}: ${reason}`);
  const prompt =
    outcome === "stay"
      ? `Coordination is over. The mode stays ${back.slug}: ${asSentence(reason)} Continue with the tools that you have.`
      : `Coordination is over without a mode switch: ${asSentence(reason)} Continue in ${back.slug} without it, or end the turn and say what is missing.`;
  return { ...ok(`Back to ${back.slug}: ${reason}`), transition: { to: back.slug, origin: "coordination", reason, prompt } };
}
