import { omitUndefined } from "@baton/core/text/omit-undefined";
import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { withAlias, toolArguments } from "../input-schema.ts";
import { delegatingTool, failed, inputField } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";
import { parseTodoText } from "../conversation/normalize-todos.ts";

const MAX_MESSAGE = 50_000;

/** `description` is an older name of `message`. */
const input = withAlias(
  "description",
  "message",
  toolArguments({
    mode: z.string().trim().min(1),
    message: z.string().trim().min(1, "must not be empty").max(MAX_MESSAGE),
    context: z.string().optional().describe("what it has to know; nothing else of this conversation is passed on"),
    todos: z.union([z.string(), z.array(z.string())]).optional(),
    priority: z.enum(["low", "medium", "high", "urgent"]).optional(),
    estimatedMinutes: z.number().positive().optional(),
    background: z.boolean().optional().describe("continue at once; the result comes later"),
    isolation: z.enum(["none", "worktree"]).optional(),
    after: z.array(z.string()).optional().describe("earlier tasks of this reply, by position (1, 2, ...), that must end first"),
  }),
);

export const newTask = delegatingTool({
  ...toolFields("new_task"),
  description:
    "Delegate a self-contained task to a new session in another mode and get its result. Several tasks in one reply run side by side.",
  input,
  label: (input) => ({
    verb: `${inputField(input, "mode") || "delegate"}:`,
    object: escapeHidden((inputField(input, "message") || inputField(input, "description")).split("\n", 1)[0] ?? ""),
  }),
  access: ({ mode }) => [{ action: "new_task", resource: mode }],
  preview: async ({ message, context = "" }) => ({
    type: "text",
    text: [context, message].filter(Boolean).join("\n\n"),
    format: "markdown",
  }),
  delegate: (
    { mode, message, context, todos = [], priority = "medium", background = false, isolation = "none", after = [], estimatedMinutes },
    { modes },
  ) => {
    const known = modes.find(({ slug }) => slug === mode);
    const names = modes.filter(({ kind }) => kind !== "primary").map(({ slug }) => slug);
    if (!known) return failed(`There is no mode "${mode.slice(0, 100)}". The modes are: ${names.join(", ")}.`);
    if (known.kind === "primary")
      return failed(`The mode ${mode} takes no subtasks (kind: primary). The modes that do are: ${names.join(", ")}.`);
    return {
      mode,
      prompt: context?.trim() ? `${context.trim()}\n\n${message}` : message,
      todos: parseTodoText(typeof todos === "string" ? todos : todos.join("\n")),
      priority,
      background,
      isolated: isolation === "worktree",
      after,
      ...omitUndefined({ estimatedMinutes }),
    };
  },
});
