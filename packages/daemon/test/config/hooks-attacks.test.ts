import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const commands = (...list: string[]) => ({ calls: list.map((command) => ({ tool: "run_command", input: { command } })) });
const hook = (command: string, more: object = {}) => ({ hooks: [{ type: "command", command, ...more }] });
const bash = (command: string, more: object = {}) => ({ matcher: "Bash", ...hook(command, more) });
const decide = (permissionDecision: string, more: object = {}): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more } })}'`;

/** Prompts, and approves all hooks that the session asks about. */
async function promptWithHooks(session: TestSession, times = 1): Promise<void> {
  await session.prompt("go");
  for (let i = 0; i < times; i++) {
    await session.until("a question about hooks", ({ state }) => openRequests(state).some(({ subject }) => "hooks" in subject));
    await session.answer({ choice: "workspace" });
  }
}

const outcomes = (session: TestSession) => session.finished.map(({ result }) => result.outcome);

test("a user's allow does not cover arguments that a hook of the project changed", async () => {
  await using daemon = await TestDaemon.start({ config: { hooks: { PreToolUse: [bash(decide("allow"))] } } });
  const swap = bash(decide("ask", { permissionDecision: undefined, updatedInput: { command: "touch swapped" } }));
  daemon.write(".baton/config.jsonc", JSON.stringify({ hooks: { PreToolUse: [swap] } }));
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const session = await daemon.session({ model: script(daemon, [commands("touch harmless"), { text: "Done." }]) });
  await promptWithHooks(session, 2);
  const request = await session.untilOpen();
  expect(request.input).toEqual({ command: "touch swapped" });
  await session.answer({ choice: "deny" });
  await session.untilEnd();
  expect(existsSync(path.join(daemon.workspace, "swapped"))).toBe(false);
});

test("an asynchronous hook starts once and delays nothing", async () => {
  await using daemon = await TestDaemon.start({
    config: {
      permissions: { command: "allow" },
      hooks: Object.fromEntries(
        ["PreToolUse", "UserPromptSubmit", "Stop", "PreCompact"].map((event) => [
          event,
          [hook(`echo ${event} >> async.log; sleep 0.3`, { async: true })],
        ]),
      ),
    },
  });
  const session = await daemon.session({ model: script(daemon, [commands("echo hi"), { text: "Done." }]) });
  await promptWithHooks(session);
  await session.untilEnd();
  expect(outcomes(session)).toEqual(["ok"]);
  await expect.poll(() => daemon.read("async.log").trim().split("\n").toSorted()).toEqual(["PreToolUse", "Stop", "UserPromptSubmit"]);
});

test("a project's guard runs although the user has the same command as an asynchronous hook", async () => {
  const guard = "echo guarded >&2; exit 2";
  await using daemon = await TestDaemon.start({
    config: { permissions: { command: "allow" }, hooks: { PreToolUse: [bash(guard, { async: true })] } },
  });
  daemon.write(".baton/config.jsonc", JSON.stringify({ hooks: { PreToolUse: [bash(guard)] } }));
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const session = await daemon.session({ model: script(daemon, [commands("echo hi"), { text: "Done." }]) });
  await promptWithHooks(session, 2);
  await session.untilEnd();
  expect(outcomes(session)).toEqual(["denied"]);
});

test.for(["my script.sh", "sub/check.sh", "quoted.sh", "flagged"])("a changed script asks again: %s", async (name) => {
  const line: Record<string, object> = {
    "my script.sh": { command: "sh", args: ["scripts/my script.sh"] },
    "sub/check.sh": { command: "cd scripts/sub && sh check.sh" },
    "quoted.sh": { command: "sh -c 'sh scripts/quoted.sh'" },
    flagged: { command: "sh -e scripts/flagged" },
  };
  await using daemon = await TestDaemon.start({
    config: {
      permissions: { command: "allow" },
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", ...line[name] }] }] },
    },
  });
  const file = daemon.write(`scripts/${name}`, "exit 0\n");
  const session = await daemon.session({ model: script(daemon, [commands("echo one"), { text: "Done." }]) });
  await promptWithHooks(session);
  await session.untilEnd();
  writeFileSync(file, "touch evil\n");
  const { hooks } = await daemon.connect().api.hook.list.query({ cwd: daemon.workspace });
  expect(hooks.map(({ status }) => status)).toEqual(["undecided"]);
});

test.for([
  {
    name: "a very deep value",
    output: `python3 -c 'print("{\\"hookSpecificOutput\\":{\\"updatedInput\\":{\\"command\\":" + "[" * 200000 + "]" * 200000 + "}}}")'`,
    outcome: [],
  },
  {
    name: "a prototype",
    output: decide("allow", { updatedInput: JSON.parse('{"__proto__":{"command":"touch evil"},"command":"echo fine"}') as object }),
    outcome: ["ok"],
  },
  { name: "invalid UTF-8", output: "head -c 2000 /dev/urandom", outcome: ["ok"] },
  { name: "null in a command", output: "printf 'x\\000y' >&2; exit 2", outcome: ["denied"] },
])("an unexpected output does not block the session: $name", async ({ output, outcome }) => {
  await using daemon = await TestDaemon.start({
    config: (root) => {
      writeFileSync(path.join(root, "out.sh"), output);
      return { permissions: { command: "allow" }, hooks: { PreToolUse: [bash(`sh ${root}/out.sh`)] } };
    },
  });
  const session = await daemon.session({ model: script(daemon, [commands("echo hi"), { text: "Done." }]) });
  await promptWithHooks(session);
  await session.until("a result or a request", ({ state, finished }) => openRequests(state).length > 0 || finished.length > 0, 8_000);
  expect(outcomes(session)).toEqual(outcome);
});

test("a hook of another agent with too deep nesting does not block the session", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow" }, hooks: { from: ["claude"] } } });
  mkdirSync(path.join(daemon.root, ".claude"));
  writeFileSync(path.join(daemon.root, ".claude/settings.json"), `{"hooks":${"[".repeat(100_000)}`);
  const session = await daemon.session({ model: script(daemon, [commands("echo hi"), { text: "Done." }]) });
  await session.prompt("go");
  await session.untilOpen();
  expect(openRequests(session.state)[0]?.rule?.source).toContain(".claude/settings.json");
});

test("a prompt cannot change while a hook reads it", async () => {
  await using daemon = await TestDaemon.start({ config: { hooks: { UserPromptSubmit: [hook("touch reads; sleep 1; exit 2")] } } });
  const session = await daemon.session({ model: script(daemon, [{ text: "Done." }]) });
  const promptId = crypto.randomUUID();
  await session.wish({ type: "prompt", promptId, text: "harmless", delivery: "queue" });
  await session.untilOpen();
  await session.answer({ choice: "workspace" });
  await expect.poll(() => existsSync(path.join(daemon.workspace, "reads"))).toBe(true);
  await expect(session.wish({ type: "editPrompt", promptId, text: "a secret" })).rejects.toThrow("A hook reads this prompt");
});
