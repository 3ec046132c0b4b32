import { chmodSync } from "node:fs";
import type { HookEvent, HookOutcome } from "@baton/core/protocol/hook";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";

/** A file of hooks in the formats that users of other agents publish, an occasion, and the output of the hook in Baton. */
type Row = {
  name: string;
  agent: "claude" | "codex";
  event: HookEvent;
  group: object;
  files?: Record<string, string>;
  tool?: string;
  input?: Record<string, unknown>;
  more?: { prompt?: string; value?: string };
  /** Undefined: no hook runs. */
  outcome: Partial<HookOutcome> | undefined;
  writes?: Record<string, RegExp>;
  /** The messages in the list of hooks. None by default. */
  problems?: readonly string[];
};

const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });
const write = { tool: "write_file", input: { path: "src/a.js", content: "x" } };
const run = (text: string) => ({ tool: "run_command", input: { command: text } });
const passed = { status: "passed" } as const;
const field = (name: string) => `python3 -c 'import json,sys; print(json.load(sys.stdin)${name})'`;
const GUARD = `import json, sys
data = json.load(sys.stdin)
file = data.get("tool_input", {}).get("file_path", "")
if ".env" in file or "package-lock.json" in file or ".git/" in file:
    print(f"{file} is protected", file=sys.stderr)
    sys.exit(2)
`;
const decide = (decision: object) => `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } })}'`;

const rows: readonly Row[] = [
  {
    name: "a formatter after an edit, with milliseconds as its time",
    agent: "claude",
    event: "PostToolUse",
    group: {
      matcher: "Write|Edit",
      hooks: [command(`${field('["tool_input"]["file_path"]')} > formatted 2>/dev/null || true`, { timeout: 10_000 })],
    },
    ...write,
    outcome: passed,
    writes: { formatted: /work\/src\/a\.js\n$/ },
  },
  {
    name: "a formatter and a call of another tool",
    agent: "claude",
    event: "PostToolUse",
    group: { matcher: "Write|Edit", hooks: [command("false")] },
    ...run("ls"),
    outcome: undefined,
  },
  ...["src/a.js", ".env", "package-lock.json"].map((file, i): Row => ({
    name: `protected files: ${file}`,
    agent: "claude",
    event: "PreToolUse",
    group: { matcher: "Edit|MultiEdit|Write", hooks: [command('python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/protect.py')] },
    files: { ".claude/hooks/protect.py": GUARD },
    tool: "write_file",
    input: { path: file, content: "x" },
    outcome:
      i === 0
        ? passed
        : { status: "passed", decision: "deny", reason: expect.stringContaining(`${file} is protected`) as unknown as string },
  })),
  {
    name: "a log of all commands",
    agent: "claude",
    event: "PreToolUse",
    group: { matcher: "Bash", hooks: [command(`${field('["tool_input"]["command"]')} >> commands.log`)] },
    ...run("git status"),
    outcome: passed,
    writes: { "commands.log": /^git status\n$/ },
  },
  {
    name: "dangerous commands",
    agent: "claude",
    event: "PreToolUse",
    group: {
      matcher: "Bash",
      hooks: [
        command(`grep -qE 'rm -rf|git push --force' && ${decide({ permissionDecision: "deny", permissionDecisionReason: "No." })} || true`),
      ],
    },
    ...run("git push --force"),
    outcome: { status: "passed", decision: "deny", reason: "No." },
  },
  {
    name: "the older form of a block",
    agent: "claude",
    event: "PreToolUse",
    group: { matcher: "Bash", hooks: [command(`echo '{"decision":"block","reason":"Use rg."}'`)] },
    ...run("grep x"),
    outcome: { decision: "deny", reason: "Use rg." },
  },
  {
    name: "an approval",
    agent: "claude",
    event: "PreToolUse",
    group: { matcher: "Read", hooks: [command(decide({ permissionDecision: "allow" }))] },
    tool: "read_file",
    input: { path: "a" },
    outcome: { decision: "allow" },
  },
  {
    name: "a notification",
    agent: "claude",
    event: "Notification",
    group: { matcher: "", hooks: [command("touch notified")] },
    more: { value: "permission_prompt" },
    outcome: passed,
    writes: { notified: /^$/ },
  },
  {
    name: "tests before the end",
    agent: "claude",
    event: "Stop",
    group: { hooks: [command("echo '2 tests fail' >&2; exit 2")] },
    outcome: { decision: "deny", reason: "2 tests fail" },
  },
  {
    name: "context for each prompt",
    agent: "claude",
    event: "UserPromptSubmit",
    group: { hooks: [command("echo The branch is main.")] },
    more: { prompt: "go" },
    outcome: { context: "The branch is main." },
  },
  {
    name: "a key in a prompt",
    agent: "claude",
    event: "UserPromptSubmit",
    group: { hooks: [command(`grep -q sk- && { echo "a key" >&2; exit 2; } || exit 0`)] },
    more: { prompt: "use sk-123" },
    outcome: { decision: "deny", reason: "a key" },
  },
  {
    name: "context at the start",
    agent: "claude",
    event: "SessionStart",
    group: { matcher: "startup|resume", hooks: [command("cat NOTES.md")] },
    files: { "NOTES.md": "Read this." },
    more: { value: "startup" },
    outcome: { context: "Read this." },
  },
  {
    name: "a start that is a resume",
    agent: "claude",
    event: "SessionStart",
    group: { matcher: "resume", hooks: [command("echo again")] },
    more: { value: "startup" },
    outcome: undefined,
    problems: ['SessionStart has only the value startup in Baton, so the matcher "resume" never runs the hook.'],
  },
  {
    name: "an exit code without a meaning",
    agent: "claude",
    event: "PreToolUse",
    group: { matcher: "Bash", hooks: [command("exit 1")] },
    ...run("ls"),
    outcome: { status: "error" },
  },
  {
    name: "a time limit in seconds",
    agent: "claude",
    event: "PreToolUse",
    group: { matcher: "Bash", hooks: [command("sleep 30", { timeout: 0.2 })] },
    ...run("ls"),
    outcome: { status: "failed" },
  },
  {
    name: "a change of the arguments",
    agent: "claude",
    event: "PreToolUse",
    group: { matcher: "Bash", hooks: [command(decide({ permissionDecision: "allow", updatedInput: { command: "npm ci" } }))] },
    ...run("npm i"),
    outcome: { decision: "allow", input: { command: "npm ci" } },
  },
  {
    name: "a script by the root of the repository",
    agent: "codex",
    event: "PreToolUse",
    group: {
      matcher: "Bash|apply_patch|Edit|Write",
      hooks: [
        command('python3 "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/.codex/hooks/route.py"', {
          timeout: 10,
          statusMessage: "Routing",
        }),
      ],
    },
    files: { ".codex/hooks/route.py": "import json, sys\nprint(json.dumps({'systemMessage': json.load(sys.stdin)['tool_name']}))\n" },
    ...write,
    outcome: { message: "apply_patch" },
  },
  {
    name: "a script that is missing, with a fallback",
    agent: "codex",
    event: "PreToolUse",
    group: { matcher: "Bash", hooks: [command("python3 .codex/hooks/gone.py 2>/dev/null || true")] },
    ...run("ls"),
    outcome: passed,
  },
  {
    name: "a matcher that is a regular expression",
    agent: "codex",
    event: "PreToolUse",
    group: { matcher: "^apply_patch$", hooks: [command("echo no >&2; exit 2")] },
    ...write,
    outcome: { decision: "deny", reason: "no" },
  },
  {
    name: "an input that a hook of PermissionRequest changes",
    agent: "codex",
    event: "PermissionRequest",
    group: {
      matcher: "Bash",
      hooks: [
        command(`echo '${JSON.stringify({ hookSpecificOutput: { decision: { behavior: "allow", updatedInput: { command: "ls" } } } })}'`),
      ],
    },
    ...run("ls -l"),
    outcome: { status: "failed" },
  },
  {
    name: "the same in Claude Code",
    agent: "claude",
    event: "PermissionRequest",
    group: {
      matcher: "Bash",
      hooks: [
        command(`echo '${JSON.stringify({ hookSpecificOutput: { decision: { behavior: "allow", updatedInput: { command: "ls" } } } })}'`),
      ],
    },
    ...run("ls -l"),
    outcome: { decision: "allow", input: { command: "ls" } },
  },
];

const FILE = { claude: ".claude/settings.json", codex: ".codex/hooks.json" };

test("hooks files in the formats that users of other agents publish work", async () => {
  await using daemon = await TestDaemon.start({ config: { hooks: { from: ["claude", "codex"] } } });
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  await api.workspace.trust.mutate({ cwd, trusted: true });
  for (const { name, agent, event, group, files = {}, tool, input, more, outcome, writes = {}, problems: expected = [] } of rows) {
    for (const [file, text] of Object.entries(files)) chmodSync(daemon.write(file, text), 0o755);
    for (const each of ["claude", "codex"] as const)
      daemon.write(FILE[each], JSON.stringify({ hooks: each === agent ? { [event]: [group] } : {} }));
    const { hooks, problems } = await api.hook.list.query({ cwd });
    expect([name, problems.map(({ message }) => message)]).toEqual([name, expected]);
    const hashes = hooks.map(({ hash }) => hash);
    await api.hook.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes, approved: true });
    const tests = await api.hook.test.mutate({
      commandId: crypto.randomUUID(),
      cwd,
      event,
      ...(tool === undefined ? {} : { tool }),
      ...(input === undefined ? {} : { input }),
      ...more,
    });
    expect([name, tests.map((each) => each.outcome)]).toMatchObject([name, outcome === undefined ? [] : [outcome]]);
    for (const [file, text] of Object.entries(writes)) expect([name, daemon.read(file)]).toEqual([name, expect.stringMatching(text)]);
  }
});

test("a test of a hook accepts the name that the tool has in Claude Code", async () => {
  await using daemon = await TestDaemon.start({ config: { hooks: { from: ["claude"] } } });
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  await api.workspace.trust.mutate({ cwd, trusted: true });
  const hook = { type: "command", command: "echo not now >&2; exit 2" };
  daemon.write(FILE.claude, JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } }));
  const hashes = (await api.hook.list.query({ cwd })).hooks.map(({ hash }) => hash);
  await api.hook.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes, approved: true });
  const tested = (tool: string) =>
    api.hook.test.mutate({ commandId: crypto.randomUUID(), cwd, event: "PreToolUse", tool, input: { command: "ls" } });
  expect(await tested("Bash")).toMatchObject([{ outcome: { decision: "deny", reason: "not now" } }]);
  expect(await tested("Read")).toEqual([]);
  await expect(tested("Bsh")).rejects.toThrow("There is no tool Bsh.");
});
