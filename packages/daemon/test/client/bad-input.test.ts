import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { errorMessage, refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const commandId = () => crypto.randomUUID();
const refusal = (call: Promise<unknown>) => call.then(() => undefined, refusalOf);

test("a command about something that does not exist is refused with the next step", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const create = (more: object) => refusal(api.session.create.mutate({ commandId: commandId(), workspace: daemon.workspace, ...more }));
  const file = daemon.write("file.txt", "x");
  expect(
    await Promise.all([
      create({ workspace: "/no/such/folder" }),
      create({ workspace: "relative" }),
      create({ workspace: file }),
      create({ mode: "nope" }),
      create({ model: "nope" }),
      refusal(api.session.open.query({ sessionId: "nope" })),
      refusal(api.session.open.query({ sessionId: "../../etc" })),
      refusal(api.request.answer.mutate({ commandId: commandId(), requestId: "nope-1", answer: { choice: "once" } })),
    ]),
  ).toMatchObject([
    { code: "workspace_not_found", message: expect.stringContaining("/no/such/folder") as unknown },
    { code: "workspace_not_found", message: expect.stringContaining("absolute") as unknown },
    { code: "workspace_not_found", message: expect.stringContaining("not a folder") as unknown },
    { code: "mode_not_found", message: expect.stringContaining("code, architect, ask") as unknown },
    { code: "model_not_found", message: expect.stringContaining("provider/model") as unknown },
    { code: "session_not_found", message: expect.stringContaining("baton sessions") as unknown },
    { code: "session_not_found" },
    { code: "request_not_found", message: expect.stringContaining("baton inbox") as unknown },
  ]);
});

test("an input that does not fit its schema is refused with a sentence", async () => {
  await using daemon = await TestDaemon.start();
  const { api } = daemon.connect();
  const { id } = await api.session.create.mutate({ commandId: commandId(), workspace: daemon.workspace });
  const tooLong = api.session.open.query({ sessionId: id, tail: 10_000 });
  const message = "The daemon did not accept this: tail: too big: expected number to be <=5000.";
  await expect(tooLong).rejects.toMatchObject({ message, data: { code: "BAD_REQUEST" } });
  expect(await tooLong.catch(errorMessage)).toBe(message);
  const unnamed = api.session.send.mutate({ sessionId: id, wish: { type: "rename" } as never });
  await expect(unnamed).rejects.toThrow("The daemon did not accept this: wish.title is missing.");
});

test("a choice that is not offered leaves the request open", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "run_command", input: { command: "echo x" } }] }, { text: "ok" }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  expect(await refusal(session.answer({ choice: "yes" }))).toMatchObject({
    code: "choice_not_offered",
    message: expect.stringContaining("once, session, workspace, deny") as unknown,
  });
  expect(await refusal(session.answer({}))).toMatchObject({ code: "answer_incomplete" });
  expect(await refusal(session.answer({ choice: "once", hash: "0" }))).toMatchObject({ code: "hash_mismatch" });
  expect(openRequests(session.state)).toHaveLength(1);
});

test("an edited rule must not be wider than the request", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "run_command", input: { command: "echo x" } }] }, { text: "ok" }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  for (const rule of [
    { action: "*", resource: "*", effect: "allow" as const },
    { action: "edit", resource: "*", effect: "allow" as const },
  ])
    expect(await refusal(session.answer({ choice: "session", rule }))).toMatchObject({ code: "rule_too_wide" });
});

test("without a model the turn ends with the next step, and nothing is lost", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session();
  await session.runTurn("hello");
  expect(session.events.at(-1)).toMatchObject({ reason: "failed", message: expect.stringContaining("config.jsonc") as unknown });
});

test("a change of the config applies to the next request, however soon that comes", async () => {
  await using daemon = await TestDaemon.start();
  for (const text of ["one", "two", "three"]) {
    const file = daemon.write(`${text}.json`, JSON.stringify({ replies: [{ text }] }));
    writeFileSync(path.join(daemon.home, "config.jsonc"), JSON.stringify({ model: `scripted/${file}` }));
    const session = await daemon.session();
    await session.runTurn("go");
    expect(session.events.findLast(({ type }) => type === "model.replied")).toMatchObject({ text });
  }
});

test("a broken script is reported with its file and the error", async () => {
  await using daemon = await TestDaemon.start();
  const file = daemon.write("broken.json", '{"replies": [{"txt": "typo"}]}');
  const session = await daemon.session({ model: `scripted/${file}` });
  await session.runTurn("go");
  expect(session.events.at(-1)).toMatchObject({
    reason: "failed",
    message: expect.stringMatching(/broken\.json is not a valid script.*txt/s) as unknown,
  });
});

test("errors in the config are reported with their line, and the rest of the config applies", async () => {
  await using daemon = await TestDaemon.start({
    configText: `{
  // a comment
  "defaultMode": "ask",
  "modle": "a/b",
  "limits": { "steps": "many" }
}`,
  });
  const { diagnostics } = await daemon.connect().api.daemon.status.query();
  expect(diagnostics.map(({ line, message }) => [line, message])).toEqual([
    [4, 'Unknown key "modle". Did you mean "model"?'],
    [5, expect.stringContaining("limits.steps")],
  ]);
  const session = await daemon.session({ model: script(daemon, []) });
  await session.until("its creation", ({ events }) => events.length > 0);
  expect(session.state.mode).toBe("ask");
});

test("while the permissions cannot be read, calls that would ask are denied", async () => {
  await using daemon = await TestDaemon.start({
    configText: '{ "permissions": [ { "action": "command", "resource": "*", "efect": "allow" } ] }',
  });
  const session = await daemon.session({
    model: script(daemon, [
      {
        calls: [
          { tool: "run_command", input: { command: "echo x" } },
          { tool: "list_files", input: {} },
        ],
      },
      { text: "ok" },
    ]),
  });
  await session.runTurn("go");
  const outcomes = session.events.flatMap((event) =>
    event.type === "tool.finished" ? [[event.callId, event.result.outcome] as const] : [],
  );
  expect(Object.fromEntries(outcomes)).toEqual({ "s1.1": "denied", "s1.2": "ok" });
});

test("concurrent config changes of clients are all stored, and a broken config stays as it is and the client gets the position of the error", async () => {
  await using daemon = await TestDaemon.start({ config: {} });
  const { api } = daemon.connect();
  const add = (name: string) => api.mcp.add.mutate({ name, server: { command: "true", disabled: true } });
  const names = async () => (await api.mcp.list.query({ cwd: daemon.workspace })).map(({ name }) => name).sort();
  await Promise.all(["a", "b", "c", "d"].map(add));
  expect(await names()).toEqual(["a", "b", "c", "d"]);
  const file = path.join(daemon.home, "config.jsonc");
  const broken = '{ "model": "a/b" "modes": {} }';
  writeFileSync(file, broken);
  expect(await refusal(add("e"))).toMatchObject({ code: "config_broken", message: expect.stringContaining(`${file}:1:18`) as unknown });
  expect(readFileSync(file, "utf8")).toBe(broken);
});
