import * as z from "zod";
import { toolArguments } from "./arguments.ts";
import { actingTool, field, ok } from "./define.ts";
import { shown } from "./shown.ts";

export const attemptCompletion = actingTool({
  name: "attempt_completion",
  action: "session",
  description:
    "End the turn with its result, once you have seen that the work is done. If you cannot go on, outcome is blocked and needs says what is missing.",
  input: toolArguments({
    result: z.string().min(1).describe("markdown; no question, no offer"),
    outcome: z.enum(["completed", "blocked"]).optional(),
    needs: z.string().optional(),
  }),
  label: (input) => ({ verb: "finish", object: shown(field(input, "result").trim().split("\n", 1)[0] ?? "") }),
  access: () => [{ action: "session", resource: "attempt_completion" }],
  replay: "safe",
  run: async ({ result, outcome = "completed", needs = "" }) => {
    const text = needs.trim() === "" ? result : `${result}\n\nNeeds: ${needs}`;
    return ok(text, {
      ends: outcome,
      view: { type: "text", text, format: "markdown" },
      ...(outcome === "blocked" ? { end: "blocked" } : {}),
    });
  },
});
