import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { MAX_SHARED_VARIABLES_LENGTH, SharedTaskVariables } from "@baton/core/protocol/shared-task-variables";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";

export const attemptCompletion = actingTool({
  ...toolFields("attempt_completion"),
  description:
    "End the turn with its result after you have verified that the work is done. If you cannot continue, set outcome to blocked and say in needs what is missing.",
  input: toolArguments({
    result: z.string().min(1).describe("markdown; no question and no offer"),
    outcome: z.enum(["completed", "blocked"]).optional(),
    needs: z.string().optional(),
    variables: SharedTaskVariables.optional().describe("in a delegated task: named values for later tasks"),
  }),
  label: (input) => ({ verb: "finish", object: escapeHidden(inputField(input, "result").trim().split("\n", 1)[0] ?? "") }),
  access: () => [{ action: "session", resource: "attempt_completion" }],
  run: async ({ result, outcome = "completed", needs = "", variables: values = {} }) => {
    if (JSON.stringify(values).length > MAX_SHARED_VARIABLES_LENGTH)
      return failed(`variables: more than ${MAX_SHARED_VARIABLES_LENGTH / 1_000} kB. Put them into a file and pass its name.`);
    const text = needs.trim() === "" ? result : `${result}\n\nNeeds: ${needs}`;
    return ok(text, {
      ends: outcome,
      view: { type: "text", text, format: "markdown" },
      ...(outcome === "blocked" ? { end: "blocked" } : {}),
      ...(Object.keys(values).length > 0 ? { events: [{ type: "variables.changed", values }] } : {}),
    });
  },
});
