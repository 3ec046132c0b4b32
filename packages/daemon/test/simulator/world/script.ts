import type { ModelCall } from "../../../src/model/model-port.ts";
import type { Draws } from "../draws.ts";

/** The calls of a model in one reply: mostly sensible, sometimes nonsense. */
export function drawCalls(draws: Draws, offered: readonly string[], plan: string): ModelCall[] {
  const count = draws.weighted({ one: 10, two: 4, three: 2 });
  const many = { one: 1, two: 2, three: 3 }[count];
  return Array.from({ length: many }, (_, i) => ({
    providerId: draws.happens(100) ? "same" : `p${draws.below(1_000_000)}.${i}`,
    ...drawCall(draws, offered, plan),
  }));
}

function drawCall(draws: Draws, offered: readonly string[], plan: string): Omit<ModelCall, "providerId"> {
  const kind = draws.weighted({
    read: 10,
    command: 16,
    write: 16,
    ask: 4,
    todos: 3,
    task: 4,
    taskBeside: 3,
    coordinate: 4,
    switch: 5,
    plan: 5,
    tools: 2,
    background: 3,
    complete: 3,
    blocked: 3,
    unknown: 1,
    cut: 2,
    wrong: 2,
    lacking: 4,
  });
  const path = draws.pick(["notes.txt", "a.txt", "b.txt"]);
  switch (kind) {
    case "read":
      return { tool: "read_file", input: { path } };
    case "command":
      return { tool: "run_command", input: { command: draws.pick(["make", "make test", "rm x", "git push"]) } };
    case "write":
      return { tool: "write_file", input: { path, content: `${draws.below(1_000)}\n` } };
    case "ask":
      return { tool: "ask_followup_question", input: { question: "Which?", follow_up: [{ text: "this" }, { text: "that" }] } };
    case "todos":
      return { tool: "update_todo_list", input: { todos: "[ ] one\n[x] two" } };
    case "task":
    case "taskBeside":
      return {
        tool: "new_task",
        input: {
          mode: draws.pick(["code", "ask", "architect", "orchestrator"]),
          message: draws.pick(["do it", "do this", "do that"]),
          background: kind === "taskBeside",
        },
      };
    case "coordinate":
      return { tool: "coordinate_mode", input: { outcome: draws.pick(["stay", "return"]), reason: "as it is" } };
    case "switch":
      return { tool: "switch_mode", input: { mode_slug: draws.pick(["code", "ask", "debug", "orchestrator"]), reason: "it fits" } };
    case "plan":
      if (!offered.includes("exit_plan")) return { tool: "enter_plan", input: {} };
      if (draws.happens(500)) return { tool: "write_file", input: { path: plan, content: "The plan\n" } };
      return { tool: "exit_plan", input: {} };
    case "tools":
      return drawToolset(draws, offered);
    case "background":
      return { tool: "run_command", input: { command: "serve", background: true } };
    case "complete":
      return { tool: "attempt_completion", input: { result: "All of it.", ...(draws.happens(500) ? { variables: { branch: "b" } } : {}) } };
    case "blocked":
      return { tool: "attempt_completion", input: { result: "It cannot be done.", outcome: "blocked", needs: "a shell" } };
    case "unknown":
      return { tool: "no_such_tool", input: {} };
    case "cut":
      return { tool: "run_command", raw: '{"command": "rm' };
    case "wrong":
      return { tool: "write_file", input: { path: 7, __proto__: null } };
    case "lacking":
      return { tool: draws.pick(["write_file", "run_command"]), input: { path, content: "x\n", command: "make" } };
  }
}

function drawToolset(draws: Draws, offered: readonly string[]): Omit<ModelCall, "providerId"> {
  if (!offered.includes("list-available-tools")) return { tool: "enter-configuration-mode", input: {} };
  const kind = draws.weighted({ list: 2, build: 4, equip: 4, unequip: 1, delete: 1, exit: 3 });
  switch (kind) {
    case "list":
      return { tool: "list-available-tools", input: {} };
    case "build":
      return {
        tool: "build-toolset",
        input: { name: "one", tools: [{ namespacedName: "sim__say" }], replace: draws.happens(500), autoEquip: draws.happens(300) },
      };
    case "equip":
      return { tool: "equip-toolset", input: { name: draws.pick(["one", "two"]) } };
    case "unequip":
      return { tool: "unequip-toolset", input: {} };
    case "delete":
      return { tool: "delete-toolset", input: { name: "one", confirm: true } };
    case "exit":
      return { tool: "exit-configuration-mode", input: {} };
  }
}
