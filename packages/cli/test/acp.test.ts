import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CreateElicitationRequest, CreateElicitationResponse, McpServer, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { ModeSlug } from "@baton/core/protocol/mode";
import { expect, test } from "vitest";
import { choose, openEditor, textOf } from "./support/acp-client.ts";
import { call, openHome, openSettledHome, type Home } from "./support/home.ts";
import { rewindToPrompt } from "./support/rewind-to-prompt.ts";

const useModel = (home: Home, ...replies: Parameters<Home["script"]>) => home.configure({ model: home.script(...replies) });

test("an editor follows a turn with its text, plan, call and change, and answers the requests", async () => {
  await using home = await openSettledHome();
  writeFileSync(path.join(home.workspace, "a.txt"), "one\ntwo\n");
  useModel(
    home,
    {
      text: "I look first.",
      stream: { characters: 4, everyMs: 1 },
      calls: [
        call("update_todo_list", { todos: [{ text: "change it", state: "doing" }] }),
        call("read_file", { path: "a.txt" }),
        call("edit_file", { path: "a.txt", old_text: "two", new_text: "three" }),
      ],
    },
    { text: "Done." },
  );
  await using editor = await openEditor(home, { permission: choose("allow_once") });
  expect(editor.initialized).toMatchObject({ protocolVersion: 1, agentInfo: { name: "baton" }, agentCapabilities: { loadSession: true } });
  const { sessionId, modes } = await editor.newSession();
  expect(modes?.currentModeId).toBe("code");
  expect(modes?.availableModes.map(({ id }) => id)).toContain("plan");

  expect(await editor.prompt(sessionId, "change two to three")).toEqual({ stopReason: "end_turn" });

  expect(readFileSync(path.join(home.workspace, "a.txt"), "utf8")).toBe("one\nthree\n");
  expect(editor.said()).toBe("I look first.Done.");
  expect(editor.of("plan").at(-1)?.entries).toEqual([{ content: "change it", priority: "medium", status: "in_progress" }]);
  expect(editor.of("tool_call").map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "think update_todo_list",
    "read read_file",
    "edit edit_file",
  ]);
  expect(editor.asked.map(({ options }) => options.map(({ kind }) => kind))).toEqual([
    ["allow_once", "allow_always", "allow_always", "reject_once"],
  ]);
  const diff = { type: "diff", path: path.join(home.workspace, "a.txt"), oldText: "one\ntwo\n", newText: "one\nthree\n" };
  expect(editor.asked[0]?.toolCall.content).toContainEqual(diff);
  expect(editor.of("tool_call_update").at(-1)).toMatchObject({ status: "completed", content: [diff] });
});

test("an image that a call returns is sent to the editor, and again when the session is loaded", async () => {
  await using home = await openSettledHome();
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  writeFileSync(path.join(home.workspace, "dot.png"), png);
  useModel(home, { calls: [call("read_file", { path: "dot.png" })] }, { text: "A dot." });
  await using editor = await openEditor(home);
  const { sessionId } = await editor.newSession();
  const picture = { type: "content", content: { type: "image", mimeType: "image/png", data: png.toString("base64") } };
  const shown = () => editor.of("tool_call_update").flatMap(({ content }) => content ?? []);
  await editor.prompt(sessionId, "look");
  await expect.poll(shown).toContainEqual(picture);
  const before = shown().length;
  await editor.agent.request("session/load", { sessionId, cwd: home.workspace, mcpServers: [] });
  expect(shown().slice(before)).toContainEqual(picture);
});

const command = call("run_command", { command: "touch made" });
const made = (home: Home): boolean => existsSync(path.join(home.workspace, "made"));

test("a denied call does not run, and a call that is allowed for the session does not ask again in any client", async () => {
  await using home = await openSettledHome();
  useModel(
    home,
    { calls: [command] },
    { text: "Refused." },
    { calls: [command] },
    { text: "Made." },
    { calls: [command] },
    { text: "Again." },
  );
  const choices = ["reject_once", "session"];
  await using editor = await openEditor(home, { permission: (request) => choose(choices.shift() ?? "none")(request) });
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "one");
  expect({ made: made(home), said: editor.said() }).toEqual({ made: false, said: "Refused." });
  await editor.prompt(sessionId, "two");
  expect(made(home)).toBe(true);
  await editor.prompt(sessionId, "three");

  expect(editor.said()).toBe("Refused.Made.Again.");
  expect(editor.asked).toHaveLength(2);
  expect(editor.asked[1]?.options.map(({ name }) => name)).toEqual([
    "Allow once",
    'This session: command "touch made"',
    'This workspace: command "touch made"',
    "Deny",
  ]);
});

test("requests of two subtasks have other ids than the session's own calls", async () => {
  await using home = await openSettledHome();
  const task = (message: string) => call("new_task", { mode: "code", message });
  const models = {
    orchestrator: home.script({ calls: [task("one"), task("two")] }, { text: "That is all." }),
    code: home.script({ calls: [command] }, { calls: [call("attempt_completion", { result: "So it is." })] }),
  };
  const modes = Object.fromEntries(Object.entries(models).map(([slug, model]) => [slug, { model }]));
  home.configure({ defaultMode: "orchestrator", modes });
  await using editor = await openEditor(home, { permission: choose("allow_once") });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "go");
  const asked = editor.asked.map(({ toolCall }) => toolCall.toolCallId);
  expect(new Set(asked).size).toBe(2);
  const own = editor.of("tool_call").map(({ toolCallId }) => toolCallId);
  expect(own.filter((id) => asked.includes(id))).toEqual([]);
});

test("a turn that is cancelled while a request is open ends as cancelled, and the request is withdrawn", async () => {
  await using home = await openSettledHome();
  useModel(home, { calls: [command] }, { text: "Made." });
  const taken: boolean[] = [];
  const untilTaken = (_: unknown, signal: AbortSignal) =>
    new Promise<RequestPermissionResponse>((end) => {
      signal.addEventListener("abort", () => {
        taken.push(true);
        end({ outcome: { outcome: "cancelled" } });
      });
    });
  await using editor = await openEditor(home, { permission: untilTaken });
  const { sessionId } = await editor.newSession();
  const ended = editor.prompt(sessionId, "go");
  await editor.until("the question", () => editor.asked.length === 1);
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await ended).toEqual({ stopReason: "cancelled" });
  await editor.until("the question is taken back", () => taken.length === 1);
  expect(made(home)).toBe(false);
});

test("an answer about trust is never offered as a one-time answer", async () => {
  await using home = openHome();
  writeFileSync(path.join(home.workspace, "AGENTS.md"), "Be brief.");
  useModel(home, { text: "Well." });
  await using editor = await openEditor(home);
  const { sessionId } = await editor.newSession();
  const ended = editor.prompt(sessionId, "go");
  await editor.until("the question of trust", () => editor.asked.length === 1);
  const kinds = Object.fromEntries((editor.asked[0]?.options ?? []).map(({ optionId, kind }) => [optionId, kind]));
  expect(kinds).toMatchObject({ trust: "allow_always", restrict: "reject_always" });
  await ended;
});

test("a prompt without a model is refused with the next step, and the agent keeps running", async () => {
  await using home = await openSettledHome();
  await using editor = await openEditor(home);
  const { sessionId } = await editor.newSession();
  expect(await editor.prompt(sessionId, "hello")).toEqual({ stopReason: "refusal" });
  expect(editor.said()).toContain("No model");
  expect((await editor.agent.request("session/list", {})).sessions.map((each) => each.sessionId)).toEqual([sessionId]);
});

test("a cancelled turn reports its running calls as stopped", async () => {
  await using home = await openSettledHome();
  useModel(home, { calls: [call("run_command", { command: "sleep 60" })] });
  await using editor = await openEditor(home, { permission: choose("allow_once") });
  const { sessionId } = await editor.newSession();
  const ended = editor.prompt(sessionId, "wait");
  await editor.until("the command runs", () => editor.of("tool_call_update").at(-1)?.status === "in_progress");
  await editor.agent.notify("session/cancel", { sessionId });
  expect(await ended).toEqual({ stopReason: "cancelled" });
  await editor.until("it is told as stopped", () => editor.of("tool_call_update").at(-1)?.status === "failed");
});

test("a mode can be changed in two ways, each of which updates the other, and an unknown mode changes nothing", async () => {
  await using home = await openSettledHome();
  useModel(home, { text: "Hello." });
  await using editor = await openEditor(home);
  const { sessionId, configOptions } = await editor.newSession();
  expect(configOptions?.map(({ id, category }) => `${id} ${category}`)).toEqual(["mode mode", "model model"]);
  const modeNow = () =>
    editor
      .of("config_option_update")
      .at(-1)
      ?.configOptions.find(({ id }) => id === "mode");

  await editor.agent.request("session/set_mode", { sessionId, modeId: "ask" });
  await editor.until("both are told", () => editor.of("current_mode_update").at(-1)?.currentModeId === "ask" && modeNow() !== undefined);
  expect(modeNow()).toMatchObject({ currentValue: "ask" });

  const reply = await editor.agent.request("session/set_config_option", { sessionId, configId: "mode", value: "plan" });
  expect(reply.configOptions.map(({ id }) => id)).toEqual(["mode", "model"]);
  await editor.until("both are told", () => editor.of("current_mode_update").at(-1)?.currentModeId === "plan");

  await expect(editor.agent.request("session/set_mode", { sessionId, modeId: "nowhere" })).rejects.toMatchObject({ code: -32_602 });
  await expect(editor.agent.request("session/prompt", { sessionId: "none", prompt: [] })).rejects.toMatchObject({ code: -32_002 });
  expect(editor.of("current_mode_update").map(({ currentModeId }) => currentModeId)).toEqual(["ask", "plan"]);
});

const question = call("ask_followup_question", { question: "Which colour?", follow_up: [{ text: "red" }, { text: "blue" }] });

test("a question becomes a form if the editor supports forms, and otherwise a choice or the next prompt", async () => {
  await using home = await openSettledHome();
  useModel(
    home,
    { calls: [question] },
    { text: "One." },
    { calls: [question] },
    { text: "Two." },
    { calls: [question] },
    { text: "Three." },
  );
  const forms: CreateElicitationRequest[] = [];
  const form = (request: CreateElicitationRequest): CreateElicitationResponse => {
    forms.push(request);
    return { action: "accept", content: { choice: "2" } };
  };
  await using fine = await openEditor(home, { form }, { elicitation: { form: {} } });
  await fine.prompt((await fine.newSession()).sessionId, "ask me");
  expect(forms[0]).toMatchObject({ mode: "form", message: "Question: Which colour?" });
  expect(fine.of("tool_call_update").at(-1)?.content).toEqual([{ type: "content", content: { type: "text", text: "blue" } }]);

  const choices = ["1", "baton:typed"];
  await using plain = await openEditor(home, { permission: (request) => choose(choices.shift() ?? "none")(request) });
  const { sessionId } = await plain.newSession();
  await plain.prompt(sessionId, "ask me");
  expect(plain.said()).toBe("One.");
  expect(await plain.prompt(sessionId, "ask me again")).toEqual({ stopReason: "end_turn" });
  expect(plain.said()).toBe("One.");
  await plain.prompt(sessionId, "a dark green");
  expect(plain.said()).toBe("One.Two.");
  expect(plain.of("tool_call_update").at(-1)?.content).toEqual([{ type: "content", content: { type: "text", text: "a dark green" } }]);
});

test("loading a session replays it from its start, resuming does not, and both sessions are listed", async () => {
  await using home = await openSettledHome();
  useModel(home, { text: "I read.", calls: [call("read_file", { path: "none.txt" })] }, { text: "Gone." }, { text: "Still here." });
  const sessionId = await (async () => {
    await using editor = await openEditor(home);
    const begun = await editor.newSession();
    await editor.prompt(begun.sessionId, "read it");
    return begun.sessionId;
  })();
  await using editor = await openEditor(home);
  const { sessions } = await editor.agent.request("session/list", { cwd: home.workspace });
  expect(sessions.map((each) => each.sessionId)).toEqual([sessionId]);

  await editor.agent.request("session/load", { sessionId, cwd: home.workspace, mcpServers: [] });
  expect(textOf(editor.of("user_message_chunk"))).toBe("read it");
  expect(editor.said()).toBe("I read.Gone.");
  expect(editor.of("tool_call")).toHaveLength(1);
  expect(editor.of("tool_call_update").at(-1)).toMatchObject({ status: "failed" });

  const before = editor.updates.length;
  await editor.agent.request("session/resume", { sessionId, cwd: home.workspace });
  await editor.prompt(sessionId, "and now?");
  const since = editor.updates.slice(before).map(({ update }) => update.sessionUpdate);
  expect(since.filter((kind) => kind !== "available_commands_update")).toEqual(["agent_message_chunk"]);
  await editor.agent.request("session/delete", { sessionId });
  expect((await editor.agent.request("session/list", {})).sessions).toEqual([]);
});

test("an answer of one client closes the request in the other, and a killed client stops nothing", async () => {
  await using home = await openSettledHome();
  useModel(home, { calls: [command] }, { text: "Made." });
  const first = await openEditor(home);
  const { sessionId } = await first.newSession();
  first.prompt(sessionId, "make it").catch(() => undefined); // the client is killed before the turn ends
  await first.until("the question", () => first.asked.length === 1);
  await using second = await openEditor(home, { permission: choose("allow_once") });
  first.kill();
  await first[Symbol.asyncDispose]();
  await second.agent.request("session/load", { sessionId, cwd: home.workspace, mcpServers: [] });
  await second.until("the command has run", () => second.said() === "Made.");
  expect(made(home)).toBe(true);
});

test("invalid input gets an error as an answer, and the agent only prints JSON", async () => {
  await using home = await openSettledHome();
  const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 99 } });
  const { code, out } = await home.run(["acp"], `no json\n${"x".repeat(1_000_000)}\n${initialize}\n`);
  const lines = out
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines).toContainEqual(expect.objectContaining({ id: 1, result: expect.objectContaining({ protocolVersion: 1 }) as unknown }));
});

const server = fileURLToPath(new URL("../../daemon/test/support/mcp/mcp-server.ts", import.meta.url));

test("Baton asks about a server of the editor, uses it, and removes it with the session", async () => {
  await using home = await openSettledHome();
  const model = home.script();
  home.configure({ model });
  await using editor = await openEditor(home, { permission: choose("allow_always") });
  const mcpServers: McpServer[] = [
    { name: "my tools", command: process.execPath, args: [server, "good"], env: [{ name: "LEFT", value: "${HOME}" }] },
  ];
  const { sessionId } = await editor.agent.request("session/new", { cwd: home.workspace, mcpServers });

  let prompts = 0;
  const promptAgain = async () => {
    await editor.prompt(sessionId, "are you there?"); // a prompt does not wait long for a server that starts slowly
    prompts += 1;
    return editor.asked.length;
  };
  await expect.poll(promptAgain).toBe(2);
  expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual(["Start this MCP server?", "Let the agent use these tools?"]);
  expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain("LEFT");
  const replies = [...Array<object>(prompts).fill({}), { calls: [call("my-tools__say", { text: "hello" })] }, { text: "Said." }];
  writeFileSync(model.replace("scripted/", ""), JSON.stringify({ replies }));
  await editor.prompt(sessionId, "say hello");
  expect(editor.of("tool_call_update").at(-1)).toMatchObject({ status: "completed", content: [{ content: { text: "hello" } }] });
  expect((await home.run(["mcp", "list"])).out).toContain("my-tools");

  await editor.agent.request("session/close", { sessionId });
  await expect.poll(async () => (await home.run(["mcp", "list"])).out).not.toContain("my-tools");
});

test("a server of the editor that does not start is reported once", async () => {
  await using home = await openSettledHome();
  useModel(home, { text: "One." }, { text: "Two." }, { text: "Three." }, { text: "Four." });
  await using editor = await openEditor(home, { permission: choose("allow_always") });
  const mcpServers: McpServer[] = [{ name: "broken", command: "/no/such/program", args: [], env: [] }];
  const { sessionId } = await editor.agent.request("session/new", { cwd: home.workspace, mcpServers });
  const problem = () => editor.said().match(/The MCP server broken cannot be used/g) ?? [];
  await editor.prompt(sessionId, "hello");
  await editor.until("Baton asks whether it may start", () => editor.asked.length === 1);
  const promptAgain = async () => {
    await editor.prompt(sessionId, "again");
    return problem().length;
  };
  await expect.poll(promptAgain).toBe(1);
  await editor.prompt(sessionId, "and again");
  expect(problem()).toHaveLength(1);
});

test("a session can be opened only in its own folder, by any name of that folder", async () => {
  await using home = await openSettledHome();
  useModel(home, { text: "Hello." });
  await using editor = await openEditor(home);
  const { sessionId } = await editor.newSession();
  const elsewhere = path.dirname(home.workspace);
  symlinkSync(home.workspace, path.join(elsewhere, "link"));
  for (const method of ["session/load", "session/resume"] as const) {
    for (const cwd of [elsewhere, path.join(home.workspace, "below"), "/no/such/folder"])
      await expect(editor.agent.request(method, { sessionId, cwd, mcpServers: [] })).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringContaining(home.workspace) as unknown,
      });
    for (const cwd of [home.workspace, path.join(elsewhere, "link")])
      await editor.agent.request(method, { sessionId, cwd, mcpServers: [] });
  }
});

test("a change names its lines when Baton asks about it and after it, and a read names its first line", async () => {
  await using home = await openSettledHome();
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`);
  writeFileSync(path.join(home.workspace, "a.txt"), `${lines.join("\n")}\n`);
  const patch = `*** Begin Patch\n*** Update File: a.txt\n@@\n-line 10\n+ten\n@@\n-line 50\n+fifty\n*** End Patch\n`;
  useModel(home, { calls: [call("read_file", { path: "a.txt", start_line: 40 }), call("apply_patch", { patch })] }, { text: "Done." });
  await using editor = await openEditor(home, { permission: choose("allow_once") });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "change it");
  const at = (line: number) => ({ path: path.join(home.workspace, "a.txt"), line });
  expect(editor.of("tool_call")[0]?.locations).toEqual([at(40)]);
  expect(editor.asked[0]?.toolCall.locations).toEqual([at(7), at(47)]);
  expect(editor.of("tool_call_update").at(-1)).toMatchObject({ status: "completed", locations: [at(7), at(47)] });
});

test("modes that only Baton can enter are offered only while the session is in them", async () => {
  await using home = await openSettledHome();
  useModel(home, { text: "Hello." });
  await using editor = await openEditor(home);
  const { sessionId, modes } = await editor.newSession();
  const offered = (list: typeof modes) =>
    ["coordinator", "configuration"].filter((slug) => list?.availableModes.some(({ id }) => id === slug));
  expect(offered(modes)).toEqual([]);
  const { api, close } = await home.connect();
  for (const mode of ["coordinator", "configuration"]) {
    await api.session.send.mutate({ sessionId, commandId: crypto.randomUUID(), wish: { type: "switchMode", mode: ModeSlug.parse(mode) } });
    expect(offered((await editor.agent.request("session/load", { sessionId, cwd: home.workspace, mcpServers: [] })).modes)).toEqual([mode]);
  }
  await close();
});

test("an editor learns that another client took its session back", async () => {
  await using home = await openSettledHome();
  useModel(home, { text: "One." }, { text: "Two." });
  await using editor = await openEditor(home);
  const { sessionId } = await editor.newSession();
  for (const prompt of ["first", "second"]) await editor.prompt(sessionId, prompt);
  await rewindToPrompt(home, 1);
  await expect
    .poll(() => editor.said())
    .toBe("One.Two.The session was taken back to an earlier prompt. The messages after it no longer count.");
  expect((await editor.prompt(sessionId, "again")).stopReason).toBe("end_turn");
});

test("an editor continues a session after a restore of the store", async () => {
  await using home = await openSettledHome();
  useModel(home, ...["One.", "Two.", "Three.", "Four."].map((each) => ({ text: each })));
  await using editor = await openEditor(home);
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "first");
  await home.run(["db", "backup", path.join(home.workspace, "copy.db")]);
  for (const prompt of ["second", "third", "fourth"]) await editor.prompt(sessionId, prompt);
  expect(editor.said()).toBe("One.Two.Three.Four.");
  expect(await home.run(["db", "restore", path.join(home.workspace, "copy.db")])).toMatchObject({ code: 0 });
  await expect.poll(async () => (await editor.prompt(sessionId, "again").catch(() => undefined))?.stopReason).toBe("end_turn");
  // The daemon may take a prompt just before the editor learns of the restore. That prompt is refused, and its turn is not shown.
  await expect.poll(() => editor.said()).toMatch(/Four\.(Two|Three)\./);
});
