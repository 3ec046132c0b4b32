import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../support/home.ts";
import { linesOf } from "../support/json-lines.ts";

const schema = {
  type: "object",
  properties: { colour: { enum: ["red", "blue"] }, count: { type: "integer", minimum: 1 } },
  required: ["colour"],
};

test("with --schema the answer is JSON that matches the schema, and Baton asks once more for an answer that does not", async () => {
  await using home = openHome();
  const file = path.join(home.workspace, "schema.json");
  writeFileSync(file, JSON.stringify(schema));
  const fenced = await home.run([
    "run",
    "go",
    "--schema",
    file,
    "--model",
    home.script({ text: 'Here:\n```json\n{"colour": "red"}\n```' }),
  ]);
  expect(fenced).toEqual({ code: 0, out: '{"colour":"red"}\n', err: "" });
  const repaired = await home.run([
    "run",
    "go",
    "--json",
    "--schema",
    file,
    "--model",
    home.script({ text: "red" }, { text: '{"colour":"blue"}' }),
  ]);
  expect(repaired.code).toBe(0);
  const lines = linesOf(repaired.out);
  expect(lines.at(-1)).toMatchObject({
    type: "result",
    status: "completed",
    output: { colour: "blue" },
    text: '{"colour":"blue"}',
    steps: 2,
  });
  expect(lines.filter(({ type }) => type === "session.created")).toHaveLength(1);
});

test("a second answer that does not match ends with exit code 1, and a file that is not a schema ends with 2 before the session starts", async () => {
  await using home = openHome();
  const file = path.join(home.workspace, "schema.json");
  writeFileSync(file, JSON.stringify(schema));
  const wrong = await home.run(["run", "go", "--schema", file, "--model", home.script({ text: "red" }, { text: '{"colour":"green"}' })]);
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("does not match the schema") as unknown });
  writeFileSync(file, "no schema");
  expect(await home.run(["run", "go", "--schema", file])).toMatchObject({
    code: 2,
    err: expect.stringContaining("is not a valid JSON Schema") as unknown,
  });
});
