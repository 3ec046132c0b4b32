import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildMessages } from "@baton/core/session/context/build-messages";
import { openRequests } from "@baton/core/session/state";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import { expect, test } from "vitest";
import { TestDaemon, type DaemonOptions } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const run = (command: string) => ({ tool: "run_command", input: { command } });
const commands = (...list: string[]) => ({ calls: list.map(run) });
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: "command", command, ...more }] });
const bash = (command: string, more: object = {}) => ({ matcher: "Bash", ...hook(command, more) });

/** Prints a decision of `PreToolUse` in the format that Claude Code documents. */
const decide = (permissionDecision: string, more: object = {}): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: "says the test", ...more } })}'`;

const withHooks = (hooks: object, options: DaemonOptions & { settings?: object } = {}): Promise<TestDaemon> =>
  TestDaemon.start({ ...options, config: { ...options.settings, hooks } });

/** Prompts, and approves the hooks that the session asks about. */
async function promptWithHooks(session: TestSession, text = "go", times = 1): Promise<void> {
  await session.prompt(text);
  for (let i = 0; i < times; i++) {
    await session.until("a question about hooks", ({ state }) => openRequests(state).length > 0);
    expect(openRequests(session.state)[0]?.subject).toHaveProperty("hooks");
    await session.answer({ choice: "workspace" });
  }
}

const outcomes = (session: TestSession) => session.finished.map(({ result }) => result.outcome);
const runsOf = (session: TestSession, event: string) =>
  session.events.flatMap((each) => (each.type === "hook.started" && each.run.event === event ? [each.run] : []));

test("Baton asks once about a hook with its command, the hook gets Claude Code's input, and a denial names the hook and its line", async () => {
  const log = `cat > input.json; if grep -q forbidden input.json; then echo "not this one" >&2; exit 2; fi`;
  await using daemon = await withHooks({ PreToolUse: [bash(log)] }, { settings: { permissions: { command: "allow" } } });
  const session = await daemon.session({
    model: script(daemon, [commands("echo allowed"), commands("echo forbidden"), { text: "Done." }]),
  });
  await session.prompt("go");
  await session.untilOpen();
  const [request] = openRequests(session.state);
  expect(request?.view).toMatchObject({ text: expect.stringContaining("not this one") as string });
  expect(request?.text).toContain("config.jsonc");
  await session.answer({ choice: "workspace" });
  await session.untilEnd();
  expect(outcomes(session)).toEqual(["ok", "denied"]);
  expect(JSON.parse(daemon.read("input.json"))).toMatchObject({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "echo forbidden" },
    cwd: daemon.workspace,
    session_id: session.id,
    permission_mode: "default",
    baton_tool_name: "run_command",
  });
  expect(session.finished[1]?.result.text).toMatch(/The hook .* \(config\.jsonc:\d+\) refused it: not this one/);
  expect(runsOf(session, "PreToolUse").length).toBe(2);

  const again = await daemon.session({ model: script(daemon, [commands("echo again"), { text: "Done." }]) });
  await again.runTurn("go");
  expect(outcomes(again)).toEqual(["ok"]); // no second request
});

test("refused hooks never run, and Baton asks again about a changed one", async () => {
  await using daemon = await TestDaemon.start({
    config: (root) => ({ permissions: { command: "allow" }, hooks: { PreToolUse: [bash(`sh ${root}/check.sh`)] } }),
  });
  const check = path.join(daemon.root, "check.sh");
  writeFileSync(check, "touch ran; exit 2\n");
  const model = () => script(daemon, [commands("echo one"), { text: "Done." }]);
  const session = await daemon.session({ model: model() });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "deny" });
  await session.untilEnd();
  expect([outcomes(session), existsSync(path.join(daemon.workspace, "ran"))]).toEqual([["ok"], false]);

  writeFileSync(check, "touch changed; exit 2\n");
  const next = await daemon.session({ model: model() });
  await promptWithHooks(next);
  await next.untilEnd();
  expect([outcomes(next), existsSync(path.join(daemon.workspace, "changed"))]).toEqual([["denied"], true]);

  // A script that changes itself after the approval does not run again without a new approval.
  writeFileSync(check, `echo >> ${check}; exit 0\n`);
  const selfChanging = await daemon.session({ model: script(daemon, [commands("echo one"), commands("echo two"), { text: "Done." }]) });
  await promptWithHooks(selfChanging);
  await selfChanging.untilOpen();
  expect(openRequests(selfChanging.state)[0]?.subject).toHaveProperty("hooks");
});

test("an allow of the user's own hook applies only where the defaults ask", async () => {
  await using daemon = await withHooks(
    { PreToolUse: [{ matcher: "*", ...hook(decide("allow")) }] },
    { settings: { permissions: { command: { "touch asks": "ask", "touch never": "deny" } } } },
  );
  const session = await daemon.session({
    model: script(daemon, [commands("touch free", "touch never"), commands("touch asks"), { text: "Done." }]),
  });
  await promptWithHooks(session);
  await session.untilOpen();
  expect(outcomes(session)).toEqual(["ok", "denied"]);
  expect(openRequests(session.state)[0]?.rule?.source).toContain("config.jsonc");
  await session.answer({ choice: "deny" });
  await session.untilEnd();
  const allowed = session.events.find((event) => event.type === "tool.allowed");
  expect(allowed).toMatchObject({
    verdict: { rule: { action: "hook", layer: "user", source: expect.stringMatching(/^config\.jsonc:\d+$/) as string } },
  });

  const plan = await daemon.session({
    mode: "plan",
    model: script(daemon, [{ calls: [{ tool: "write_file", input: { path: "x", content: "x" } }] }, { text: "Done." }]),
  });
  await plan.runTurn("go");
  expect(existsSync(path.join(daemon.workspace, "x"))).toBe(false);
});

test("a project's hook can ask and refuse, and its allow has no effect", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: { "touch free*": "allow" } } } });
  const hooks = {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "sh .baton/gate.sh" }] }],
  };
  daemon.write(".baton/config.jsonc", JSON.stringify({ hooks }));
  daemon.write(
    ".baton/gate.sh",
    `input=$(cat)\ncase "$input" in\n*asked*) ${decide("ask")};;\n*refused*) ${decide("deny")};;\n*) ${decide("allow")};;\nesac\n`,
  );
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const session = await daemon.session({
    model: script(daemon, [
      commands("touch free1"),
      commands("touch free-refused"),
      commands("touch free-asked"),
      commands("touch other"),
      { text: "Done." },
    ]),
  });
  await promptWithHooks(session);
  await session.untilOpen();
  expect(outcomes(session)).toEqual(["ok", "denied"]);
  const [asked] = openRequests(session.state);
  expect(asked?.rule).toMatchObject({ layer: "project", source: expect.stringContaining(".baton/config.jsonc") as string });
  expect(asked?.remember).toBeUndefined(); // a grant would not answer the hook
  await session.answer({ choice: "once" });
  await session.untilOpen();
  expect(openRequests(session.state)[0]?.input).toEqual({ command: "touch other" }); // a project's allow has no effect
  await session.answer({ choice: "deny" });
  await session.untilEnd();
});

test("changed arguments pass the gates again and are shown as changed, and invalid ones are refused", async () => {
  const to = (input: object) => decide("allow", { updatedInput: input });
  await using daemon = await withHooks(
    {
      PreToolUse: [
        bash(
          `input=$(cat); case "$input" in *good*) ${to({ command: "touch changed" })};; *bad*) ${to({ command: "sudo make it" })};; *wrong*) ${to({ command: 7 })};; esac`,
        ),
        { matcher: "Write", ...hook(to({ file_path: "other.txt", content: "changed" })) },
      ],
    },
    { settings: { permissions: { command: { "touch *": "allow" }, edit: "allow" } } },
  );
  const session = await daemon.session({
    model: script(daemon, [
      commands("touch good"),
      { calls: [{ tool: "write_file", input: { path: "a.txt", content: "x" } }] },
      commands("touch wrong"),
      commands("touch bad"),
      { text: "Done." },
    ]),
  });
  await promptWithHooks(session);
  await session.untilOpen();
  expect(outcomes(session)).toEqual(["ok", "ok", "failed"]);
  expect([existsSync(path.join(daemon.workspace, "changed")), daemon.read("other.txt"), daemon.read("a.txt")]).toEqual([
    true,
    "changed",
    "",
  ]);
  expect(openRequests(session.state)[0]).toMatchObject({
    input: { command: "sudo make it" },
    text: expect.stringContaining("changed the arguments") as string,
  });
  await session.answer({ choice: "deny" });
  await session.untilEnd();
});

test("if two hooks disagree, the stricter decision applies, and Baton asks about different arguments", async () => {
  await using daemon = await withHooks(
    {
      PreToolUse: [
        bash(`case "$(cat)" in *one*) ${decide("allow")};; *) ${decide("allow", { updatedInput: { command: "touch left" } })};; esac`),
        bash(`case "$(cat)" in *one*) ${decide("deny")};; *) ${decide("allow", { updatedInput: { command: "touch right" } })};; esac`),
      ],
    },
    { settings: { permissions: { command: "allow" } } },
  );
  const session = await daemon.session({ model: script(daemon, [commands("touch one"), commands("touch two"), { text: "Done." }]) });
  await promptWithHooks(session);
  await session.untilOpen();
  expect(outcomes(session)).toEqual(["denied"]);
  expect(session.events.find((event) => event.type === "request.opened" && "call" in event.request.subject)).toMatchObject({
    request: { rule: { action: "hook" } },
  });
  await session.answer({ choice: "deny" });
  await session.untilEnd();
});

/** The failures of a broken hook. A word in the guarded command selects one. */
const BROKEN = `
input=$(cat)
case "$input" in
*"$1-json"*) echo '{ "decision": ' ;;
*"$1-flood"*) yes | head -c 100000000 ;;
*"$1-hang"*) sleep 600 ;;
*"$1-fork"*) (sleep 601 & setsid sleep 602 &); sleep 603 ;;
*"$1-schema"*) echo '{ "hookSpecificOutput": { "permissionDecision": "maybe" } }' ;;
*"$1-missing"*) no-such-program-of-baton ;;
*"$1-killed"*) kill -9 $$ ;;
esac
`;
const FAILURES = ["json", "flood", "hang", "fork", "schema", "killed"];
/** Exit codes other than 0 and 2 have no meaning in Claude Code, so they pass unless the file says otherwise. */
const ERRORS = ["missing"];

test("failing hooks have limits, leave no process, and their onFailure decides", async () => {
  await using daemon = await TestDaemon.start({
    config: (root) => ({
      permissions: { command: "allow" },
      hooks: {
        PreToolUse: ["block", "pass", undefined].map((onFailure) =>
          bash(`sh ${root}/broken.sh ${onFailure ?? "asked"}`, { timeout: 2, ...(onFailure ? { onFailure } : {}) }),
        ),
      },
    }),
  });
  writeFileSync(path.join(daemon.root, "broken.sh"), BROKEN);
  const all = [...FAILURES, ...ERRORS];
  const step = (kind: string) => commands(...all.map((name) => `echo ${kind}-${name}`));
  const session = await daemon.session({ model: script(daemon, [step("block"), step("pass"), step("asked"), { text: "Done." }]) });
  await promptWithHooks(session);
  await session.untilOpen(FAILURES.length);
  const count = all.length;
  expect(outcomes(session).slice(0, count)).toEqual(all.map(() => "denied"));
  expect(outcomes(session).slice(count, 2 * count)).toEqual(all.map(() => "ok"));
  expect(session.finished[1]?.result.text).toContain("printed more than 1 MB");
  await session.wish({ type: "interrupt" });
  await session.untilEnd();
  const left = () => [600, 601, 602, 603].flatMap((seconds) => processesWith(`sleep ${seconds}`));
  await expect.poll(left).toEqual([]); // on a busy machine killed processes need a moment to end
});

test("PostToolUse adds to the result, UserPromptSubmit adds to a prompt or refuses it, and Stop continues the turn", async () => {
  const context = (event: string, additionalContext: string) =>
    `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } })}'`;
  await using daemon = await withHooks(
    {
      SessionStart: [hook("echo the build is red")],
      UserPromptSubmit: [hook(`case "$(cat)" in *secret*) echo "a key is in the prompt" >&2; exit 2;; *) echo note for the prompt;; esac`)],
      PostToolUse: [bash(context("PostToolUse", "the linter is happy")), { matcher: "Read", ...hook("exit 2") }],
      Stop: [hook(`case "$(cat)" in *'"stop_hook_active":true'*) exit 0;; *) echo "run the tests first" >&2; exit 2;; esac`)],
    },
    { settings: { permissions: { command: "allow" } } },
  );
  const session = await daemon.session({
    model: script(daemon, [commands("echo hi"), { text: "Finished." }, { text: "Really finished." }]),
  });
  await promptWithHooks(session);
  await session.untilEnd();
  const messages = messagesOf(session);
  for (const text of ["the build is red", "note for the prompt", "the linter is happy", "run the tests first"])
    expect(messages).toContain(text);
  expect(session.state.lastTurn?.said).toBe("Really finished.");
  expect(runsOf(session, "Stop").map(({ details }) => details)).toEqual([{ stop_hook_active: false }, { stop_hook_active: true }]);

  await session.prompt("this is secret");
  await session.until("the refusal", ({ state }) => state.lastTurn?.reason === "denied");
  expect(session.state.lastTurn).toMatchObject({ reason: "denied", message: expect.stringContaining("a key is in the prompt") as string });
  expect(messagesOf(session)).not.toContain("this is secret");
});

test("a Stop hook that always blocks continues the turn five times, and the fifth time says so", async () => {
  await using daemon = await withHooks({ Stop: [hook("echo not yet >&2; exit 2")] });
  const replies = Array.from({ length: 8 }, (_, n) => ({ text: `Answer ${n + 1}.` }));
  const session = await daemon.session({ model: script(daemon, replies) });
  await promptWithHooks(session);
  await session.untilEnd();
  expect(session.state.lastTurn).toMatchObject({ reason: "completed", said: "Answer 6." });
  const last = "Hooks have now continued this turn five times, so the next answer ends it.";
  const texts = session.events.flatMap((event) => (event.type === "prompt.received" && event.synthetic === "hook" ? [event.text] : []));
  expect(texts.map((text) => text.includes(last))).toEqual([false, false, false, false, true]);
});

test("a daemon that is killed while a hook runs asks after the restart, and does not run the hook again", async () => {
  await using daemon = await withHooks(
    { PreToolUse: [bash("echo run >> hook.log; sleep 30")] },
    { settings: { permissions: { command: "allow" } } },
  );
  const session = await daemon.session({ model: script(daemon, [commands("echo once >> once.txt"), { text: "Done." }]) });
  await promptWithHooks(session);
  await expect.poll(() => daemon.read("hook.log"), { timeout: 20_000 }).toBe("run\n");
  await daemon.kill();
  await daemon.start();
  const again = daemon.attach(session.id);
  await again.untilOpen();
  const [request] = openRequests(again.state);
  expect(request).toMatchObject({ rule: { action: "hook" }, input: { command: "echo once >> once.txt" } });
  await again.answer({ choice: "once" });
  await again.untilEnd();
  expect([daemon.read("hook.log"), daemon.read("once.txt")]).toEqual(["run\n", "once\n"]);
});

test.for([{ from: undefined }, { from: ["claude", "codex"] }])("files of Claude Code and Codex: %j", async ({ from }) => {
  const file = "cat > $CLAUDE_PROJECT_DIR/claude.json";
  const settings = { hooks: { PreToolUse: [{ matcher: "Edit|Write", ...hook(file, { timeout: 5 }) }], WorktreeCreate: [hook("exit 0")] } };
  const codex = { hooks: { PreToolUse: [{ matcher: "^apply_patch$", ...hook("cat > codex.json", { statusMessage: "Checking" }) }] } };
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" }, ...(from ? { hooks: { from } } : {}) } });
  mkdirSync(path.join(daemon.root, ".claude"));
  mkdirSync(path.join(daemon.root, ".codex"));
  writeFileSync(path.join(daemon.root, ".claude/settings.json"), JSON.stringify(settings));
  writeFileSync(path.join(daemon.root, ".codex/hooks.json"), JSON.stringify(codex));
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "write_file", input: { path: "a.txt", content: "x" } }] }, { text: "Done." }]),
  });
  await promptWithHooks(session, "go", from ? 2 : 0);
  await session.untilEnd();
  const read = (name: string): unknown => JSON.parse(daemon.read(name) || "null");
  const input = { file_path: path.join(daemon.workspace, "a.txt"), content: "x" };
  const claude: unknown = expect.objectContaining({ tool_name: "Write", tool_input: input });
  const codexInput: unknown = expect.objectContaining({ tool_name: "apply_patch" });
  expect([outcomes(session), read("claude.json"), read("codex.json")]).toEqual([["ok"], ...(from ? [claude, codexInput] : [null, null])]);
});

test("while the hooks of a file cannot be read, every call asks", async () => {
  await using daemon = await withHooks(
    { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command" }] }] },
    { settings: { permissions: { command: "allow" } } },
  );
  const session = await daemon.session({ model: script(daemon, [commands("echo hi"), { text: "Done." }]) });
  await session.prompt("go");
  await session.untilOpen();
  expect(openRequests(session.state)[0]?.rule?.source).toContain("config.jsonc");
  await session.answer({ choice: "once" });
  await session.untilEnd();
});

/** The conversation as the model reads it. */
function messagesOf(session: TestSession): string {
  const transcript = transcriptOf(session.events);
  return JSON.stringify(buildMessages(transcript, new WeakMap()));
}

/** The ids of running processes with this text in their command line. */
function processesWith(text: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").includes(text);
    } catch {
      return false; // it has ended
    }
  });
}
