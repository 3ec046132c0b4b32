import { expect, test } from "vitest";
import { canonicalCall } from "./canonical-call.ts";
import { toolByName, tools } from "./builtin-tools.ts";

const read = { tool: "read_file", input: { path: "a", start_line: 1 } };

test.each([
  [{ tool: "read_file", input: { path: "a", start_line: 1 } }],
  [{ tool: "READ_FILE", input: { path: "a", start_line: 1 } }],
  [{ tool: "read-file", input: { filePath: "a", start_line: "1" } }],
  [{ tool: "readFile", input: { file_path: "a", startLine: 1 } }],
  [{ tool: "functions.read_file", input: { path: "a", start_line: 1, description: "look" } }],
  [{ tool: "Read", raw: '{"path": "a", "start_line": 1,}' }],
])("%j is read_file with a path and a line", (sent) => expect(canonicalCall(sent, toolByName)).toEqual(read));

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
    { tool: "list_files", raw: "" },
    { tool: "list_files", input: {} },
  ],
])("%j is understood", (sent, meant) => expect(canonicalCall(sent, toolByName)).toEqual(meant));

test.each([
  [{ tool: "fly", input: { to: "a" } }],
  [{ tool: "read_file", input: { path: "a", file_path: "b" } }], // two meanings
  [{ tool: "read_file", input: { path: "a", colour: "red" } }],
  [{ tool: "read_file", input: { path: 7 } }],
  [{ tool: "read_file", input: { path: "a", start_line: "one" } }],
  [{ tool: "run_command", raw: '{"command": "rm' }], // it broke off
  [{ tool: "run_command", raw: '{"command": "ls"} // done' }],
  [{ tool: "run_command", raw: '["ls"]' }],
])("%j stays as it was sent", (sent) => expect(canonicalCall(sent, toolByName)).toEqual(sent));

test("a call that fits as it is stays as it is, for every tool and every name of its own", () => {
  for (const { name } of tools) expect(canonicalCall({ tool: name, input: { a: 1 } }, toolByName)).toEqual({ tool: name, input: { a: 1 } });
});
