import { expect, test } from "vitest";
import { normalizeCall } from "./normalize-call.ts";
import { toolByName, builtinTools } from "./builtin-tools.ts";

const read = { tool: "read_file", input: { path: "a", start_line: 1 } };

test.each([
  [{ tool: "read_file", input: { path: "a", start_line: 1 } }],
  [{ tool: "READ_FILE", input: { path: "a", start_line: 1 } }],
  [{ tool: "read-file", input: { filePath: "a", start_line: "1" } }],
  [{ tool: "readFile", input: { file_path: "a", startLine: 1 } }],
  [{ tool: "functions.read_file", input: { path: "a", start_line: 1, description: "look" } }],
  [{ tool: "Read", raw: '{"path": "a", "start_line": 1,}' }],
])("%j is read_file with a path and a line", (sent) => expect(normalizeCall(sent, toolByName)).toEqual(read));

test.each([
  [
    { tool: "Bash", input: { command: "ls", description: "List" } },
    { tool: "run_command", input: { command: "ls" } },
  ],
  [
    { tool: "run_command", input: { cmd: "ls", background: "true" } },
    { tool: "run_command", input: { command: "ls", background: true } },
  ],
  [
    { tool: "Edit", input: { file_path: "a", old_string: "x", new_string: "y" } },
    { tool: "edit_file", input: { path: "a", old_text: "x", new_text: "y" } },
  ],
  [
    { tool: "exec_command", input: { cmd: "npm init", tty: true, yield_time_ms: 1000 } },
    { tool: "run_command", input: { command: "npm init", terminal: true } },
  ],
  [
    { tool: "write_stdin", input: { session_id: "s1.1", chars: "yes\n" } },
    { tool: "write_to_command", input: { id: "s1.1", text: "yes\n" } },
  ],
  [
    { tool: "list_files", raw: "" },
    { tool: "list_files", input: {} },
  ],
  [
    { tool: "shell_command", input: { command: "ls", workdir: "src", timeout_ms: 1000, justification: "Look" } },
    { tool: "run_command", input: { command: "ls", workdir: "src", timeout_ms: 1000 } },
  ],
  [
    { tool: "view_image", input: { path: "a.png" } },
    { tool: "read_file", input: { path: "a.png" } },
  ],
  [
    { tool: "update_plan", input: { explanation: "Next", plan: [{ step: "Test it", status: "in_progress" }] } },
    { tool: "update_todo_list", input: { todos: [{ step: "Test it", status: "in_progress" }] } },
  ],
  [
    { tool: "Grep", input: { pattern: "todo", path: "src", output_mode: "content", "-n": true, "-i": true, head_limit: 20 } },
    { tool: "search_text", input: { pattern: "(?i)todo", path: "src" } },
  ],
  [
    { tool: "Grep", input: { pattern: "todo", "-i": false } },
    { tool: "search_text", input: { pattern: "todo" } },
  ],
  [
    { tool: "Grep", input: { pattern: "todo", "-A": 2, "-B": "5" } },
    { tool: "search_text", input: { pattern: "todo", context: 5 } },
  ],
  [
    { tool: "Grep", input: { pattern: "todo", "-C": 100 } },
    { tool: "search_text", input: { pattern: "todo", context: 20 } },
  ],
  [
    { tool: "Grep", input: { pattern: "todo", "-C": "many" } },
    { tool: "search_text", input: { pattern: "todo", "-C": "many" } },
  ],
  [
    {
      tool: "AskUserQuestion",
      input: {
        questions: [
          {
            question: "Which?",
            header: "Colour",
            multiSelect: false,
            options: [{ label: "Red", description: "like now" }, { label: "Blue" }],
          },
        ],
      },
    },
    { tool: "ask_followup_question", input: { question: "Which?", follow_up: [{ text: "Red: like now" }, { text: "Blue" }] } },
  ],
  [
    {
      tool: "AskUserQuestion",
      input: {
        questions: [
          { question: "Which colour?", options: [{ label: "Red", description: "like now" }, { label: "Blue" }] },
          { question: "Which sizes?", multiSelect: true, options: [{ label: "S" }, { label: "L" }] },
        ],
      },
    },
    {
      tool: "ask_followup_question",
      input: {
        question: "1. Which colour?\n- Red: like now\n- Blue\n\n2. Which sizes? (several answers are possible)\n- S\n- L",
        follow_up: [{ text: "Decide all of them yourself" }],
      },
    },
  ],
  [
    { tool: "AskUserQuestion", input: { questions: [{ question: "A?" }, { question: "B?", options: [] }] } },
    { tool: "ask_followup_question", input: { questions: [{ question: "A?" }, { question: "B?", options: [] }] } },
  ],
  [
    { tool: "WebFetch", input: { url: "https://example.com", prompt: "the title" } },
    { tool: "fetch_url", input: { url: "https://example.com" } },
  ],
  [
    { tool: "Skill", input: { skill: "tidy" } },
    { tool: "skill", input: { name: "tidy" } },
  ],
  [
    { tool: "Task", input: { subagent_type: "reviewer", description: "Review it", prompt: "Review a.ts." } },
    { tool: "new_task", input: { mode: "reviewer", message: "Review a.ts." } },
  ],
  [
    { tool: "Agent", input: { subagent_type: "reviewer", prompt: "Review a.ts.", run_in_background: true } },
    { tool: "new_task", input: { mode: "reviewer", message: "Review a.ts.", background: true } },
  ],
])("%j is understood", (sent, meant) => expect(normalizeCall(sent, toolByName)).toEqual(meant));

test.each([
  [
    { tool: "functions.read_file:0", input: { file_path: "a", offset: 5, limit: 10 } },
    { tool: "read_file", input: { path: "a", start_line: 5, end_line: 14 } },
  ],
  [
    { tool: "default_api.read_file", raw: '"{\\"path\\": \\"a\\"}"' },
    { tool: "read_file", input: { path: "a" } },
  ],
  [
    { tool: "read_file", input: { arguments: { path: "a" } } },
    { tool: "read_file", input: { path: "a" } },
  ],
  [
    { tool: "read_file", input: { path: "a", start_line: null } },
    { tool: "read_file", input: { path: "a" } },
  ],
  [
    { tool: "str_replace_editor", input: { command: "view", path: "a", view_range: [3, -1] } },
    { tool: "read_file", input: { path: "a", start_line: 3 } },
  ],
  [
    { tool: "str_replace_based_edit_tool", input: { command: "str_replace", path: "a", old_str: "x", new_str: "y" } },
    { tool: "edit_file", input: { path: "a", old_text: "x", new_text: "y" } },
  ],
  [
    { tool: "str_replace_editor", input: { command: "create", path: "a", file_text: "x" } },
    { tool: "write_file", input: { path: "a", content: "x" } },
  ],
  [
    { tool: "MultiEdit", input: { file_path: "a", edits: '[{"oldText": "x", "newText": "y", "replaceAll": "true"}]' } },
    { tool: "edit_file", input: { path: "a", edits: [{ old_text: "x", new_text: "y", replace_all: true }] } },
  ],
  [
    { tool: "edit", input: { filePath: "a", oldString: "x", newString: "y", replaceAll: "True" } },
    { tool: "edit_file", input: { path: "a", old_text: "x", new_text: "y", replace_all: true } },
  ],
  [
    { tool: "shell", input: { command: ["bash", "-lc", "ls | wc -l"] } },
    { tool: "run_command", input: { command: "ls | wc -l" } },
  ],
  [
    { tool: "container.exec", input: { cmd: ["rg", "it's", "src"], timeout: "5000" } },
    { tool: "run_command", input: { command: "rg 'it'\\''s' src", timeout_ms: 5000 } },
  ],
  [
    { tool: "shell", input: { command: ["apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch"] } },
    { tool: "apply_patch", input: { patch: "*** Begin Patch\n*** Delete File: a\n*** End Patch" } },
  ],
  [
    { tool: "Bash", input: { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF" } },
    { tool: "apply_patch", input: { patch: "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF" } },
  ],
  [
    { tool: "apply_patch", input: { input: "*** Begin Patch" } },
    { tool: "apply_patch", input: { patch: "*** Begin Patch" } },
  ],
  [
    { tool: "Grep", input: { query: "x", include: "*.ts" } },
    { tool: "search_text", input: { pattern: "x", glob: "*.ts" } },
  ],
])("%j becomes %j", (sent, meant) => expect(normalizeCall(sent, toolByName)).toEqual(meant));

test("a command that does more than apply a patch stays a command", () => {
  const command = "apply_patch <<'EOF' && rm b\n*** Begin Patch\n*** End Patch\nEOF";
  expect(normalizeCall({ tool: "Bash", input: { command } }, toolByName)).toEqual({ tool: "run_command", input: { command } });
});

test("a call does not become a tool that is not available", () => {
  const only = { get: (name: string) => (name === "run_command" ? toolByName.get(name) : undefined) };
  const input = { command: ["apply_patch", "*** Begin Patch"] };
  expect(normalizeCall({ tool: "shell", input }, only)).toEqual({ tool: "run_command", input });
});

test.each([
  [{ tool: "fly", input: { to: "a" } }],
  [{ tool: "read_file", input: { path: "a", file_path: "b" } }], // two meanings
  [{ tool: "read_file", input: { path: "a", colour: "red" } }],
  [{ tool: "read_file", input: { path: 7 } }],
  [{ tool: "str_replace_editor", input: { command: "insert", path: "a", insert_line: 3, new_str: "x" } }],
  [{ tool: "run_command", input: { command: [] } }],
  [{ tool: "read_file", input: { path: "a", start_line: "one" } }],
  [{ tool: "run_command", raw: '{"command": "rm' }], // it broke off
  [{ tool: "run_command", raw: '{"command": "ls"} // done' }],
  [{ tool: "run_command", raw: '["ls"]' }],
])("%j stays as it was sent", (sent) => expect(normalizeCall(sent, toolByName)).toEqual(sent));

test("a call by a tool's own name with its own arguments does not change", () => {
  for (const { name } of builtinTools)
    expect(normalizeCall({ tool: name, input: { a: 1 } }, toolByName)).toEqual({ tool: name, input: { a: 1 } });
});

test("a tool of a server may have the prefix of Claude Code, and a tool with exactly that name comes first", () => {
  const [read] = builtinTools;
  if (!read) throw new Error("there are no tools");
  const served = { ...read, name: "files__ping" };
  const other = { ...read, name: "mcp__files__ping" };
  const offering = (...offered: (typeof read)[]) => ({ get: (name: string) => offered.find((each) => each.name === name) });
  const sent = { tool: "mcp__files__ping", input: { path: "a" } };
  expect(normalizeCall(sent, offering(served)).tool).toBe("files__ping");
  expect(normalizeCall(sent, offering(served, other)).tool).toBe("mcp__files__ping");
  expect(normalizeCall(sent, offering(read)).tool).toBe("mcp__files__ping");
});
