import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";
import { updateTodoList } from "./update-todo-list.ts";

const todos = [
  { text: "Read", state: "done" },
  { text: "Write", state: "doing" },
  { text: "Test", state: "open" },
];

test("the list becomes an event and a view", async () => {
  await using bench = await Workbench.open();
  expect(await bench.run("update_todo_list", { todos })).toEqual({
    outcome: "ok",
    text: "The list now has 3 steps, 1 done.",
    events: [{ type: "todos.changed", todos }],
    view: { type: "list", items: todos },
    end: "1 of 3",
  });
});

test.each([
  [
    [
      { content: "Read", status: "completed" },
      { content: "Write", status: "in_progress" },
      { step: "Test", status: "pending" },
    ],
  ],
  ["[x] Read\n[-] Write\n[ ] Test"],
  ["- [x] Read\n\n- [~] Write\n* Test\n"],
])("other forms of a list are understood", (given) => {
  expect(updateTodoList.input.parse({ todos: given })).toEqual({ todos });
});

test("a step without text or with an unknown state is refused, and the error names its position", () => {
  const parsed = updateTodoList.input.safeParse({ todos: [{ text: "a", state: "maybe" }, { state: "open" }] });
  expect(parsed.error?.issues.map(({ path }) => path.join("."))).toEqual(["todos.0.state", "todos.1.text"]);
});
