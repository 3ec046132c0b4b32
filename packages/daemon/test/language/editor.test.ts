import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionEvent } from "@baton/core/protocol/event";
import { expect, test } from "vitest";
import type { TestDaemon } from "../support/daemon.ts";
import { DiagnosingEditor, type Answer, type FileErrors } from "../support/language/diagnosing-editor.ts";
import { diagnosticsOf, languageProject, patient } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const program = fileURLToPath(new URL("../support/language/odd-language-server.ts", import.meta.url));

/** A project with a server that leaves a trace when it starts, and that finds each line with `bad`. */
const project = (config: object = {}) =>
  languageProject({
    config: {
      ...patient,
      lsp: { odd: { command: ["/bin/sh", "-c", `touch started; exec "${process.execPath}" "${program}"`], extensions: [".odd"] } },
      ...config,
    },
    files: { "a.odd": "good\nold\n", "b.odd": "good\n" },
  });
const hasStarted = (daemon: TestDaemon) => existsSync(path.join(daemon.workspace, "started"));

/** Errors in this editor's words, so that they differ from those of the server: each line with `bad` or `old`. */
const errorsIn = (daemon: TestDaemon, file: string): FileErrors => ({
  path: file,
  errors: daemon
    .read(path.relative(daemon.workspace, file))
    .split("\n")
    .flatMap((text, i) => (/bad|old/.test(text) ? [{ line: i + 1, column: 1, message: `The editor dislikes ${text}.` }] : [])),
});
const honest =
  (daemon: TestDaemon): Answer =>
  ({ files }) =>
    files.map((file) => errorsIn(daemon, file));
const attach = (daemon: TestDaemon, answer: Answer = honest(daemon), folders = [daemon.workspace]) =>
  DiagnosingEditor.attach(daemon.connect("editor").api, folders, answer);

const write = (content: string, file = "a.odd") => ({ calls: [{ tool: "write_file", input: { path: file, content } }] });
const found = (session: TestSession) =>
  diagnosticsOf(session).flatMap(({ view }) =>
    view.type === "files" ? view.files.map(({ path: file, line, note }) => `${file}:${line} ${note}`) : [],
  );

async function run(daemon: TestDaemon, ...replies: object[]): Promise<TestSession> {
  const session = await daemon.session({ model: script(daemon, [...replies, { text: "Done." }]) });
  await session.runTurn("go");
  return session;
}

const OF_EDITOR = ["a.odd:3 The editor dislikes bad."];
const OF_SERVER = ["a.odd:3 This is bad."];
const breaking = write("new\ngood\nbad\nold\n");

test("the errors of an editor that has the folder open count, only new ones, and no server starts", async () => {
  await using daemon = await project();
  using editor = await attach(daemon);
  const session = await run(daemon, breaking, write("bad\n", "new.odd"), { calls: [{ tool: "delete_file", input: { path: "b.odd" } }] });
  expect(found(session)).toEqual([...OF_EDITOR, "new.odd:1 The editor dislikes bad."]);
  expect([hasStarted(daemon), editor.looks.map(({ moment, files }) => [moment, ...files.map((file) => path.basename(file))])]).toEqual([
    false,
    [["before", "a.odd"], ["after", "a.odd"], ["after", "new.odd"], ["before", "b.odd"], ["after"]],
  ]);
});

test("ten edits of one reply are one question, and each call gets its own errors, also those in files that use the changed one", async () => {
  await using daemon = await project();
  const user = path.join(daemon.workspace, "user.ts");
  using editor = await attach(daemon, ({ moment, files }) => {
    const used = files.some((file) => file.endsWith("3.odd")) && moment === "before" ? [user] : [];
    const errors = moment === "after" ? [{ line: 7, column: 1, message: "It is gone." }] : [];
    return [...files, ...used].map((file) => (file === user ? { path: user, errors } : errorsIn(daemon, file)));
  });
  for (let i = 0; i < 10; i++) daemon.write(`${i}.odd`, "good\n");
  const calls = Array.from({ length: 10 }, (_, i) => write(i % 2 === 0 ? "good\nbad\n" : "better\n", `${i}.odd`).calls).flat();
  const session = await run(daemon, { calls });
  const inCalls = diagnosticsOf(session).map(({ callId, view }) => [
    callId,
    view.type === "files" && view.files.map(({ path: file, line }) => `${file}:${line}`),
  ]);
  expect(inCalls).toEqual([
    ["s1.1", ["0.odd:2"]],
    ["s1.3", ["2.odd:2"]],
    ["s1.5", ["4.odd:2"]],
    ["s1.7", ["6.odd:2"]],
    ["s1.9", ["8.odd:2"]],
    ["s1.4", ["user.ts:7"]],
  ]);
  expect(editor.looks.filter(({ moment }) => moment === "after")).toHaveLength(1);
});

/** Ways in which an editor cannot help. A server of Baton then checks the edit. */
const unhelpful: Record<string, (daemon: TestDaemon) => Answer> = {
  "leaves when it is asked before the edit": () => (_, editor) => editor.leave(),
  "leaves when it is asked after the edit": (daemon) => (look, editor) =>
    look.moment === "before" ? honest(daemon)(look, editor) : editor.leave(),
  "cannot judge the file before the edit": () => () => [],
  "can no longer judge the file after the edit": (daemon) => (look, editor) =>
    look.moment === "before" ? honest(daemon)(look, editor) : [],
  "only knows another file": (daemon) => () => [errorsIn(daemon, path.join(daemon.workspace, "b.odd"))],
};

test.each(Object.entries(unhelpful))("if the editor %s, a server of Baton checks the edit", async (_, answer) => {
  await using daemon = await project();
  using _editor = await attach(daemon, answer(daemon));
  const session = await run(daemon, breaking);
  expect([found(session), hasStarted(daemon)]).toEqual([OF_SERVER, true]);
});

test("an editor that does not answer before the edit delays it at most by the configured time, and a server checks the edit", async () => {
  await using daemon = await project({ checks: { waitMs: 1_500 } });
  using _editor = await attach(daemon, () => undefined);
  const session = await run(daemon, breaking, { calls: [{ tool: "run_command", input: { command: "true" } }] });
  expect([session.finished[0]?.result.outcome, hasStarted(daemon)]).toEqual(["ok", true]);
});

test("errors that an editor finds after its answer become a message for the next step, without those that were reported", async () => {
  await using daemon = await project({ permissions: { edit: "allow", command: "allow" } });
  const answered = Promise.withResolvers<string>();
  using editor = await attach(daemon, ({ id, moment, files }) => {
    if (moment === "after") answered.resolve(id);
    return files.map((file) => errorsIn(daemon, file));
  });
  const waits = { calls: [{ tool: "run_command", input: { command: "while [ ! -e go ]; do sleep 0.1; done" } }] };
  const session = await daemon.session({ model: script(daemon, [breaking, waits, { text: "Fixed." }]) });
  await session.prompt("go");
  const look = await answered.promise;
  const isReport = ({ type }: SessionEvent) => type === "diagnostics.reported";
  await session.until("the first report", ({ events }) => events.some(isReport));
  const known = errorsIn(daemon, path.join(daemon.workspace, "a.odd"));
  const late = { line: 1, column: 5, message: "It took a while." };
  await editor.put("no such look", [{ ...known, errors: [] }]);
  await editor.put(look, [{ ...known, errors: [] }], "no such editor");
  await editor.put(look, [{ ...known, errors: [...known.errors, late] }]);
  await editor.put(look, [{ ...known, errors: [] }]);
  const isLate = (event: SessionEvent) => event.type === "prompt.received" && event.synthetic === "diagnostics";
  await session.until("the late error", ({ events }) => events.some(isLate));
  daemon.write("go", "");
  await session.untilEnd();
  const texts = session.events.flatMap((event) =>
    event.type === "prompt.received" && event.synthetic === "diagnostics" ? event.text : [],
  );
  expect([found(session), texts]).toEqual([
    OF_EDITOR,
    ["Your earlier edit caused 1 new error:\na.odd:1:5: It took a while.\nFix them before you finish."],
  ]);
});

test("of two editors the first one counts, and after it has left the other one", async () => {
  await using daemon = await project();
  using first = await attach(daemon);
  using second = await attach(daemon);
  await run(daemon, breaking);
  expect([first.looks.length, second.looks.length]).toEqual([2, 0]);
  first.leave();
  const session = await run(daemon, write("good\nbad\n", "b.odd"));
  expect([found(session), first.looks.length, second.looks.length, hasStarted(daemon)]).toEqual([
    ["b.odd:2 The editor dislikes bad."],
    2,
    2,
    false,
  ]);
});

test("an editor counts if one of its folders is the folder of the session or contains it", async () => {
  await using daemon = await project();
  const { workspace, root } = daemon;
  for (const [folders, counts] of [
    [[workspace], true],
    [[root], true],
    [["/elsewhere", workspace], true],
    [["/"], true],
    [[], false],
    [["/elsewhere"], false],
    [[`${workspace}2`], false],
    [[workspace.slice(0, -1)], false],
    [[path.join(workspace, "inner")], false],
  ] as const) {
    using editor = await attach(daemon, honest(daemon), [...folders]);
    const session = await run(daemon, breaking);
    expect([folders, editor.looks.length > 0, found(session)]).toEqual([folders, counts, counts ? OF_EDITOR : OF_SERVER]);
    daemon.write("a.odd", "good\nold\n");
  }
});

test("where servers are turned off, no editor is asked", async () => {
  await using daemon = await project({ lsp: false });
  using editor = await attach(daemon);
  expect([found(await run(daemon, breaking)), editor.looks]).toEqual([[], []]);
});
