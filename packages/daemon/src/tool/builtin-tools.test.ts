import { expect, test } from "vitest";
import * as z from "zod";
import { toolByName, builtinTools } from "./builtin-tools.ts";
import { toolsetManagementTools } from "./modes/toolset-tools.ts";

/** As models get them. */
const offered = builtinTools.map(({ name, description, input, schema = z.toJSONSchema(input, { io: "input" }) }) => {
  const { $schema: _, ...sent } = schema;
  return { name, description, schema: sent };
});

test("the descriptions of all tools take less than 11 KiB, without those that need a setting, a language server or the configuration mode", () => {
  const code = ["diagnostics", "find_symbol", "rename_symbol"];
  const elsewhere = [...toolsetManagementTools.slice(1).map(({ name }) => name), "web_search", ...code];
  expect(Buffer.byteLength(JSON.stringify(offered.find(({ name }) => name === "web_search")))).toBeLessThan(300);
  expect(Buffer.byteLength(JSON.stringify(offered.filter(({ name }) => code.includes(name))))).toBeLessThan(1_450);
  expect(Buffer.byteLength(JSON.stringify(offered.filter(({ name }) => !elsewhere.includes(name))))).toBeLessThan(11 * 1024);
});

test("every tool has one object as its input, without other keys", () => {
  expect(offered.filter(({ schema }) => schema["type"] !== "object" || schema["additionalProperties"] !== false)).toEqual([]);
});

test("every input has a label, even an invalid one", () => {
  for (const { label } of builtinTools)
    for (const input of [undefined, null, 3, "x", [], {}, { path: 3 }, { path: { a: 1 }, command: ["x"] }])
      expect(typeof label(input).object).toBe("string");
});

test("a label shows hidden characters", () => {
  expect(toolByName.get("run_command")?.label({ command: "a\nb\x1b[31m\u202e" })).toEqual({
    verb: "run",
    object: "a\\nb\\u{1b}[31m\\u{202e}",
  });
});

test("the accesses of a tool have its own action or that of its session, and editing or moving a file or renaming a symbol also reads it", () => {
  const input = {
    path: "a",
    pattern: "a",
    content: "",
    old_text: "a",
    new_text: "b",
    command: "a",
    id: "a",
    todos: [],
    result: "a",
    question: "a",
    url: "https://example.com/",
    to: "b",
    patch: "*** Delete File: a",
    query: "a",
    symbol: "a",
    new_name: "b",
    follow_up: [],
  };
  for (const { name, access, action } of builtinTools) {
    const others = access(input).filter((each) => each.action !== action && each.action !== "session");
    expect(others).toEqual(/^(move_file|rename_symbol|edit_file)$/.test(name) ? [{ action: "read", resource: "a" }] : []);
  }
});

test("an unknown argument gets an error that names the right argument", () => {
  const message = (name: string, input: unknown) =>
    toolByName
      .get(name)
      ?.input.safeParse(input)
      .error?.issues.map((issue) => issue.message)
      .join(" ");
  expect(message("read_file", { path: "a", startLine: 3 })).toBe("There is no argument startLine; did you mean start_line?");
  expect(message("write_file", { path: "a", content: "", contents: "" })).toBe("There is no argument contents; did you mean content?");
  expect(message("write_file", { path: "a", content: "", zzz: "" })).toBe("There is no argument zzz; there are path, content.");
  expect(message("read_file", "a.ts")).toBe("Send one JSON object with path, start_line, end_line.");
});
