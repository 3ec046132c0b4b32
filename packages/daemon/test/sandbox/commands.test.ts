import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { TestDaemon } from "../support/daemon.ts";
import { makeRepository } from "../support/git/repository.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const run = (command: string) => ({ calls: [{ tool: "run_command", input: { command } }] });
const works = hasBubblewrap();
const config = { sandbox: "on", permissions: { "*": "allow" } };

/** The outputs of the commands of one turn, each with its outcome. */
async function ran(daemon: TestDaemon, commands: readonly string[]): Promise<string[]> {
  return answered(await daemon.session({ model: script(daemon, [...commands.map(run), { text: "ok" }]) }));
}

/** Runs a turn and answers all requests. */
async function answered(session: TestSession): Promise<string[]> {
  await session.prompt("go");
  for (;;) {
    await session.until(
      "a request or the end",
      ({ state }) => state.counts.opened > state.counts.answered || (state.turns > 0 && !state.turn),
    );
    if (!session.state.turn) break;
    await session.answer({ choice: "once" });
  }
  return session.finished.map(({ result }) => `${result.outcome}: ${result.text}`);
}

test.runIf(works)("inside the sandbox, only the workspace is writable, keys are hidden, and git works", async () => {
  await using daemon = await TestDaemon.start({ config });
  execFileSync("git", ["init", "-q"], { cwd: daemon.workspace });
  const outside = path.join(daemon.root, "outside.txt");
  const results = await ran(daemon, [
    "echo in > inside.txt",
    `echo out > ${outside}`,
    "echo out > /usr/baton-was-here",
    "git add -A",
    "echo evil > .git/hooks/pre-commit",
    `ls ${daemon.home}`,
  ]);
  expect(daemon.read("inside.txt")).toBe("in\n");
  expect(existsSync(outside)).toBe(false);
  expect(results[2]).toContain("Read-only file system");
  expect(results[3]).toMatch(/^ok/);
  expect(existsSync(path.join(daemon.workspace, ".git/hooks/pre-commit"))).toBe(false);
  expect(results.at(-1)).not.toContain("daemon.json");
});

test.runIf(works)(
  "a session in a place can commit inside the sandbox and write a second folder, but not files that git executes",
  async () => {
    await using daemon = await TestDaemon.start({ config });
    makeRepository(daemon.workspace);
    const library = path.join(daemon.root, "library");
    makeRepository(library);
    const { api } = daemon.connect();
    await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
    const place = await api.place.create.mutate({ cwd: daemon.workspace, name: "p" });
    const commands = [
      "echo two > a.txt && git -c user.name=Ada -c user.email=ada@example.org commit -qam second && git log --oneline | wc -l",
      `echo evil > ${daemon.workspace}/.git/hooks/pre-commit`,
      "git config core.fsmonitor evil",
      "echo gitdir: /tmp > .git",
      `echo two > ${library}/a.txt`,
      `echo out > ${daemon.workspace}/a.txt`,
    ];
    const roots = [{ path: library, readOnly: false }];
    const model = script(daemon, [...commands.map(run), { text: "ok" }]);
    const { id } = await api.session.create.mutate({ workspace: place.workspace, model, roots });
    const results = await answered(daemon.attach(id ?? ""));
    expect(results[0]).toMatch(/^ok: .*\n2\n/);
    for (const denied of [1, 2, 3]) expect(results[denied]).toMatch(/Read-only file system|resource busy/);
    expect(readFileSync(path.join(library, "a.txt"), "utf8")).toBe("two\n");
    expect(daemon.read("a.txt")).toBe("one\n");
  },
);

test.runIf(!works)("if no sandbox works, a command does not run without it", async () => {
  await using daemon = await TestDaemon.start({ config });
  const [result] = await ran(daemon, ["echo in > inside.txt"]);
  expect(result).toContain("because the sandbox does not work here: ");
  expect(existsSync(path.join(daemon.workspace, "inside.txt"))).toBe(false);
});

/** The rules of a user with the setting `auto`, including those that the user wrote. */
const auto = (permissions: object = {}) => ({ config: { sandbox: "auto", permissions } });

type Call = { command: string; outside_sandbox?: string; background?: boolean };

/** The outcome of each command, and the request about it if Baton asked. Every request gets the answer `deny`. */
async function asked(daemon: TestDaemon, calls: readonly Call[]): Promise<{ question?: string; text: string }[]> {
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const model = script(daemon, [...calls.map((input) => ({ calls: [{ tool: "run_command", input }] })), { text: "ok" }]);
  const session = await daemon.session({ model });
  await session.prompt("go");
  const questions = new Map<string, string>();
  for (;;) {
    await session.until(
      "a request or the end",
      ({ state }) => state.counts.opened > state.counts.answered || (state.turns > 0 && !state.turn),
    );
    if (!session.state.turn) break;
    const call = session.state.calls.find(({ phase }) => phase === "waiting");
    questions.set(call?.id ?? "", call?.request?.text ?? "");
    await session.answer({ choice: "deny" });
  }
  return session.finished.map(({ callId, result }) => {
    const question = questions.get(callId);
    return { ...(question === undefined ? {} : { question }), text: `${result.outcome}: ${result.text}` };
  });
}

test.runIf(works)(
  "auto: a command that stays inside the sandbox runs without a request, and cannot reach what the rules do not allow",
  async () => {
    await using daemon = await TestDaemon.start(auto({ edit: "allow" }));
    daemon.write(".env", "KEY=secret");
    daemon.write("sub/.npmrc", "//registry/:_authToken=secret");
    daemon.write("run.sh", 'eval "$1"');
    execFileSync("git", ["init", "-q"], { cwd: daemon.workspace });
    const outside = path.join(daemon.root, "outside.txt");
    const results = await asked(daemon, [
      { command: "sh ./run.sh 'echo in > inside.txt; cat inside.txt'" },
      { command: `sh ./run.sh 'echo out > ${outside}'` },
      { command: "sh ./run.sh 'cat .env; echo read'" },
      { command: "sh ./run.sh 'echo evil > sub/.npmrc'" },
      { command: "sh ./run.sh 'echo /tmp > .git/commondir'" },
      { command: `sh ./run.sh 'ls ${daemon.home} ~/.ssh; cat /etc/shadow | wc -c'` },
      { command: "sh ./run.sh 'mkdir .idea; echo x > .idea/run.xml; mv sub s2; mkdir sub; echo evil > sub/.npmrc'" },
      { command: "sh ./run.sh 'true'" },
    ]);
    expect(results.map(({ question }) => question === undefined)).toEqual([true, true, true, true, true, true, true, false]);
    expect(results[0]?.text).toContain("in\n");
    expect(daemon.read("inside.txt")).toBe("in\n");
    expect(existsSync(outside)).toBe(false);
    expect(results[2]?.text).not.toContain("secret");
    expect(results[3]?.text).toContain("write sub/.npmrc");
    expect(results[6]?.text).toContain("The command created .idea, s2/.npmrc, sub/.npmrc.");
    expect(daemon.read("s2/.npmrc")).toContain("secret");
    expect(results[4]?.text).toContain("Baton removed .git/commondir");
    expect(existsSync(path.join(daemon.workspace, ".git/commondir"))).toBe(false);
    expect(results[5]?.text).not.toContain("daemon.json");
    expect(results[5]?.text).toContain("\n0\n");
  },
);

test.runIf(works)(
  "auto: a file that redirects git does not survive in any git folder, even while a command runs in the background",
  async () => {
    await using daemon = await TestDaemon.start(auto({ edit: "allow" }));
    daemon.write("run.sh", 'eval "$1"');
    for (const folder of [".", "nested"]) execFileSync("git", ["init", "-q", folder], { cwd: daemon.workspace });
    const files = [".git", "nested/.git"].flatMap((git) => ["commondir", "config.worktree"].map((name) => `${git}/${name}`));
    const command = `sh ./run.sh 'echo /tmp | tee ${files.join(" ")}; sleep 0.5; ls ${files.join(" ")} > seen.txt 2>/dev/null; echo done > done.txt; sleep 600'`;
    const results = await asked(daemon, [{ command, background: true }]);
    expect(results[0]?.text).toContain("Started in the background");
    await vi.waitFor(() => expect(existsSync(path.join(daemon.workspace, "done.txt"))).toBe(true), 20_000);
    expect(daemon.read("seen.txt")).toBe("");
    expect(files.filter((file) => existsSync(path.join(daemon.workspace, file)))).toEqual([]);
  },
);

test.runIf(works)(
  "auto: a background command that creates protected files is reported when it ends, and its program asks from then on",
  async () => {
    await using daemon = await TestDaemon.start(auto({ edit: "allow" }));
    daemon.write("run.sh", 'eval "$1"');
    const { api } = daemon.connect();
    await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
    const command = "sh ./run.sh 'sleep 1; mkdir .idea; echo x > .idea/run.xml; echo created'";
    const session = await daemon.session({
      model: script(daemon, [
        { calls: [{ tool: "run_command", input: { command, background: true } }] },
        { text: "It runs." },
        { calls: [{ tool: "run_command", input: { command: "sh ./run.sh true" } }] },
        { text: "ok" },
      ]),
    });
    await session.prompt("go");
    await session.until("the report", ({ events }) => events.some(({ type }) => type === "process.ended"));
    const reported = session.events.flatMap((event) => (event.type === "sandbox.exceeded" ? [event] : []));
    expect(reported).toMatchObject([{ files: [path.join(daemon.workspace, ".idea")], programs: ["sh ./run.sh"] }]);
    expect(session.state.exceeded).toEqual(["sh ./run.sh"]);
    await session.prompt("again");
    await session.until("the question", ({ state }) => state.calls.some(({ phase }) => phase === "waiting"));
  },
);

test.runIf(works)("auto: without edits, a command changes only folders of build results", async () => {
  await using daemon = await TestDaemon.start(auto());
  daemon.write("dist/old.js", "old");
  daemon.write("run.sh", 'eval "$1"');
  const [inside, source] = await asked(daemon, [
    { command: "sh ./run.sh 'echo new > dist/old.js'" },
    { command: "sh ./run.sh 'echo new > src.js'" },
  ]);
  expect([inside?.question, source?.question]).toEqual([undefined, undefined]);
  expect(daemon.read("dist/old.js")).toBe("new\n");
  expect(existsSync(path.join(daemon.workspace, "src.js"))).toBe(false);
  expect(source?.text).toContain("call run_command again with outside_sandbox");
});

test.runIf(works)(
  "auto: a command that leaves the sandbox, or that the agent wants to run outside, asks and then runs outside",
  async () => {
    await using daemon = await TestDaemon.start(auto({ edit: "allow" }));
    daemon.write("run.sh", 'eval "$1"');
    const outside = path.join(daemon.root, "outside.txt");
    const { api } = daemon.connect();
    await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
    const command = `sh ./run.sh 'echo out > ${outside}'`;
    const call = { calls: [{ tool: "run_command", input: { command, outside_sandbox: "It writes a report." } }] };
    const session = await daemon.session({ model: script(daemon, [call, { text: "ok" }]) });
    await session.prompt("go");
    await session.until("a request", ({ state }) => state.counts.opened > 0);
    const why = session.state.calls.find(({ phase }) => phase === "waiting")?.request;
    await session.answer({ choice: "once" });
    await session.untilEnd();
    const note = "It would run outside of the sandbox. The reason of the agent: It writes a report.";
    expect(why).toMatchObject({ text: expect.stringContaining(note) as string, notes: [note] });
    expect(readFileSync(outside, "utf8")).toBe("out\n");
    const asks = await asked(
      daemon,
      ["git push", "docker run x", "ssh host ls", "kill 1", "cd /tmp && make"].map((text) => ({ command: text })),
    );
    expect(asks.map(({ question }) => question !== undefined)).toEqual(asks.map(() => true));
  },
);

test.runIf(works)("auto: a formatter and a language server that a command left in the project run inside", async () => {
  const formatter = { fmt: { command: ["fmt", "$FILE"], extensions: [".ts"] } };
  await using daemon = await TestDaemon.start({ config: { sandbox: "auto", permissions: { edit: "allow" }, formatter } });
  daemon.write("package.json", "{}");
  daemon.write("run.sh", 'eval "$1"');
  const outside = path.join(daemon.root, "outside");
  const leave = ["fmt", "typescript-language-server"].map(
    (name) =>
      `printf "#!/bin/sh\\necho ran > ${name}.txt; echo evil > ${outside}-${name}\\n" > node_modules/.bin/${name}; chmod +x node_modules/.bin/${name}`,
  );
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const write = { calls: [{ tool: "write_file", input: { path: "a.ts", content: "1\n" } }] };
  const model = script(daemon, [run(`sh ./run.sh 'mkdir -p node_modules/.bin; ${leave.join("; ")}'`), write, { text: "ok" }]);
  const session = await daemon.session({ model });
  await session.prompt("go");
  await session.untilEnd();
  expect(session.state.counts.opened).toBe(0);
  expect(daemon.read("fmt.txt")).toBe("ran\n");
  expect(daemon.read("typescript-language-server.txt")).toBe("ran\n");
  expect(["fmt", "typescript-language-server"].filter((name) => existsSync(`${outside}-${name}`))).toEqual([]);
});

/** Commands of every kind that the gate knows. */
const COMMANDS = [
  "make",
  "npm test",
  "node x.js",
  "sh -c 'make'",
  "npm install",
  "git commit -m x",
  "git status",
  "ls",
  "cat .env",
  "cat ~/.ssh/id_rsa",
  "git push",
  "rm -rf src",
  "echo x > a.txt",
  "echo x > /etc/x",
  "sudo make",
  "$X foo",
  "curl https://example.com",
  "sed -i s/a/b/ a.txt",
  "npm publish",
  "npx foo",
  "make && git push",
  "make | tee out.txt",
  "cd .. && make",
  "docker run x",
];
const RULE_SETS = [
  [],
  [{ action: "edit", resource: "*", effect: "allow" }],
  [{ action: "command", resource: "*", effect: "ask" }],
  [{ action: "command", resource: "make*", effect: "ask" }],
  [{ action: "command", resource: "*", effect: "deny" }],
  [{ action: "command", resource: "npm *", effect: "deny" }],
  [{ action: "command", resource: "*", effect: "allow" }],
  [{ action: "edit", resource: "*", effect: "deny" }],
  [{ action: "*", resource: "*", effect: "ask" }],
] as const;
const MODES = ["code", "ask", "plan", "architect", "debug", "orchestrator", "build"];

test.runIf(works)("in all modes and with all rules, the sandbox only replaces requests of the defaults", async () => {
  await using daemon = await TestDaemon.start(auto());
  await using bare = await TestDaemon.start({ config: { sandbox: "off" } });
  const [{ api: inside }, { api: outside }] = [daemon.connect(), bare.connect()];
  for (const trusted of [true, false]) {
    let lifted = 0;
    for (const mode of trusted ? MODES : MODES.slice(0, 1))
      for (const rules of RULE_SETS) {
        const question = (command: string, cwd: string) => ({
          tool: "run_command",
          input: { command },
          mode,
          rules: [...rules],
          trusted,
          cwd,
        });
        const ask = (api: typeof inside, cwd: string) => api.permission.check.query(COMMANDS.map((command) => question(command, cwd)));
        const [with_, without] = await Promise.all([ask(inside, daemon.workspace), ask(outside, bare.workspace)]);
        for (const [i, command] of COMMANDS.entries()) {
          const [now, before] = [with_[i], without[i]];
          if (!now || !before || "error" in now || "error" in before) throw new Error(`${mode}: ${command} was not judged`);
          const title = `${mode}, ${JSON.stringify(rules)}, trusted ${trusted}: ${command}`;
          if (now.effect === before.effect) continue;
          expect([title, before.effect, now.effect, now.rule?.action]).toEqual([title, "ask", "allow", "sandbox"]);
          expect([title, before.rule?.layer ?? "defaults"]).toEqual([title, "defaults"]);
          lifted += 1;
        }
      }
    expect(lifted > 0).toBe(trusted);
  }
});

test.runIf(works)("the sandbox can be turned on and off while the daemon runs", async () => {
  await using daemon = await TestDaemon.start({ config: { sandbox: "off" } });
  const { api } = daemon.connect();
  const effect = async () => {
    const question = { tool: "run_command", input: { command: "make" }, cwd: daemon.workspace, trusted: true };
    const [verdict] = await api.permission.check.query([question]);
    return verdict && "effect" in verdict ? verdict.effect : undefined;
  };
  expect(await effect()).toBe("ask");
  for (const [value, expected] of [
    ["auto", "allow"],
    ["off", "ask"],
    ["on", "allow"],
  ] as const) {
    await api.config.set.mutate({ setting: ["sandbox"], value });
    await expect.poll(effect).toBe(expected);
  }
});

test.runIf(works)(
  "auto: clients learn which tools do not ask in the sandbox: none in a folder without trust, or if a rule asks",
  async () => {
    const freeTools = async (permissions: object, trusted: boolean) => {
      await using daemon = await TestDaemon.start({ config: { sandbox: "auto", permissions } });
      const { api } = daemon.connect();
      await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted });
      await ran(daemon, ["make"]); // Baton has tried the sandbox then
      const { offered } = await api.daemon.tools.query({ cwd: daemon.workspace });
      return offered.filter((tool) => tool.freeInSandbox).map(({ name }) => name);
    };
    expect(await freeTools({}, true)).toEqual(["run_command"]);
    expect(await freeTools({}, false)).toEqual([]);
    expect(await freeTools({ command: "ask" }, true)).toEqual([]);
  },
);
