import { toolFields } from "@baton/core/tool/tool-table";
import type { Todo } from "@baton/core/protocol/tool-call";
import { formatCount } from "@baton/core/text/format";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { actingTool, ok } from "../tool-types.ts";
import { normalizeTodos } from "./normalize-todos.ts";

const MAX_TODOS = 100;

const todo = z.strictObject({ text: z.string().trim().min(1).max(500), state: z.enum(["open", "doing", "done"]) });

export const updateTodoList = actingTool({
  ...toolFields("update_todo_list"),
  description:
    "Replace the list of steps that the user sees. Use it for work of three or more steps. Keep one step doing, and mark finished steps as done.",
  input: toolArguments({ todos: z.preprocess(normalizeTodos, z.array(todo).max(MAX_TODOS)) }),
  label: () => ({ verb: "plan", object: "steps" }),
  access: () => [{ action: "session", resource: "update_todo_list" }],
  run: async ({ todos }) => {
    const list: Todo[] = todos;
    const done = list.filter(({ state }) => state === "done").length;
    return ok(`The list now has ${formatCount(list.length, "step")}, ${done} done.`, {
      events: [{ type: "todos.changed", todos: list }],
      view: { type: "list", items: list },
      end: `${done} of ${list.length}`,
    });
  },
});
