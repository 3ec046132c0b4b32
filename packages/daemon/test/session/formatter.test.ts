import { chmodSync, existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

/** A formatter of the project: a script that changes the file in its last argument. */
const program = (body: string) =>
  `#!/usr/bin/env node\nconst fs = require("node:fs"); const file = process.argv.at(-1); const text = fs.readFileSync(file, "utf8");\n${body}\n`;
const DOUBLE_QUOTES = `fs.writeFileSync(file, text.replaceAll("'", '"'));`;

async function project(body: string): Promise<TestDaemon> {
  const formatter = { "double-quotes": { command: ["double-quotes", "$FILE"], extensions: [".js"] } };
  const daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" }, formatter } });
  chmodSync(daemon.write("node_modules/.bin/double-quotes", program(body)), 0o755);
  daemon.write("a.js", "say('one');\r\nsay('two');\r\n");
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  return daemon;
}

const edit = { calls: [{ tool: "edit_file", input: { path: "a.js", old_text: "'one'", new_text: "'three'" } }] };

test("a formatter runs before an edit is recorded, the model learns about it, and an undo restores every byte", async () => {
  await using daemon = await project(DOUBLE_QUOTES);
  const session = await daemon.session({ model: script(daemon, [edit, { text: "Done." }]) });
  await session.runTurn("go");
  expect(daemon.read("a.js")).toBe('say("three");\r\nsay("two");\r\n');
  const [finished] = session.finished;
  expect(finished?.result.text).toContain("The formatter double-quotes then changed a.js.");
  expect(finished?.result.view).toMatchObject({
    type: "diff",
    hunks: [{ lines: ["-say('one');", "-say('two');", '+say("three");', '+say("two");'] }],
  });
  const { files } = await daemon.connect().api.session.undoPlan.query({ sessionId: session.id });
  expect(files).toMatchObject([{ path: "a.js", conflict: false }]);
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
  expect(daemon.read("a.js")).toBe("say('one');\r\nsay('two');\r\n");
});

test.each([
  ["fails", `fs.writeFileSync(file, "half"); process.exit(1);`],
  ["empties the file", `fs.writeFileSync(file, "");`],
  ["removes the file", `fs.unlinkSync(file);`],
])("a formatter that %s changes nothing", async (_, body) => {
  await using daemon = await project(body);
  const session = await daemon.session({ model: script(daemon, [edit, { text: "Done." }]) });
  await session.runTurn("go");
  expect(daemon.read("a.js")).toBe("say('three');\r\nsay('two');\r\n");
  expect(session.finished.map(({ result: { outcome, text } }) => [outcome, text.includes("formatter")])).toEqual([["ok", false]]);
});

test("a deleted file is not formatted", async () => {
  await using daemon = await project(DOUBLE_QUOTES);
  const remove = { calls: [{ tool: "delete_file", input: { path: "a.js" } }] };
  const session = await daemon.session({ model: script(daemon, [remove, { text: "Done." }]) });
  await session.runTurn("go");
  expect([session.finished[0]?.result.outcome, session.state.lastTurn?.reason]).toEqual(["ok", "completed"]);
});

test("no formatter runs in a folder that is not trusted", async () => {
  await using daemon = await project(`fs.writeFileSync(require("node:path").join(process.cwd(), "ran"), "");`);
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: false });
  const session = await daemon.session({ model: script(daemon, [edit, { text: "Done." }]) });
  await session.runTurn("go");
  expect([daemon.read("a.js"), existsSync(path.join(daemon.workspace, "ran"))]).toEqual(["say('three');\r\nsay('two');\r\n", false]);
});
