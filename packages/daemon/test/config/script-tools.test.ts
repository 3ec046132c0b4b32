import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const SCHEMA = {
  description: "Adds two numbers.",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  access: {},
};
const ADD = `import json, sys\nwith open("ran", "a") as log: log.write("x")\ninput = json.load(sys.stdin)\nprint(json.dumps({"sum": input["a"] + input["b"]}))\n`;

/** Writes a tool of the project. */
function tool(daemon: TestDaemon, name: string, file: string, text: string, more: object = {}): void {
  daemon.write(`.baton/tools/${file}`, text);
  daemon.write(`.baton/tools/${name}.tool.json`, JSON.stringify({ ...SCHEMA, ...more }));
}

async function withTools(write: (daemon: TestDaemon) => void, config: object = {}): Promise<TestDaemon> {
  const daemon = await TestDaemon.start({ config: { ...config } });
  write(daemon);
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  return daemon;
}

const list = (daemon: TestDaemon) => daemon.connect().api.tool.list.query({ cwd: daemon.workspace });

async function approveAll(daemon: TestDaemon): Promise<void> {
  const { tools } = await list(daemon);
  const hashes = tools.map(({ hash }) => hash);
  await daemon.connect().api.tool.settle.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace, hashes, approved: true });
}

const call = (name: string, input: object = { a: 1, b: 2 }) => ({ calls: [{ tool: name, input }] });
const results = ({ finished }: TestSession) => finished.map(({ result }) => [result.outcome, result.text] as const);

test("Baton asks about a script with its command and declaration, then judges each call, and a grant covers later calls", async () => {
  await using daemon = await withTools((each) => tool(each, "add", "add.py", ADD, { access: { writes: ["ran"] } }));
  const before = await daemon.session({ model: script(daemon, [call("add"), { text: "Done." }]) });
  await before.runTurn("go");
  const [request] = openRequests(before.state);
  expect(request).toMatchObject({
    subject: { tools: ".baton/tools" },
    view: { text: expect.stringMatching(/python3 .*add\.py[\s\S]*writes ran/) as string },
  });
  expect(results(before)).toEqual([["failed", expect.stringContaining("it waits for your approval")]]);
  await before.answer({ choice: "workspace" });

  const inputs = [{ a: 1, b: 2 }, { a: "x" }, { a: 40, b: 2 }];
  const session = await daemon.session({ model: script(daemon, [...inputs.map((input) => call("add", input)), { text: "Done." }]) });
  await session.prompt("go");
  const asked = await session.untilOpen();
  expect(asked).toMatchObject({ tool: "add", remember: { action: "tool", resource: "add", effect: "allow" } });
  await session.answer({ choice: "workspace" });
  await session.untilEnd();
  expect(results(session)).toEqual([
    ["ok", expect.stringContaining('{"sum": 3}')],
    ["failed", expect.stringMatching(/arguments of add do not fit: a: .*b: /)],
    ["ok", expect.stringContaining('{"sum": 42}')],
  ]);
  expect(daemon.read("ran")).toBe("xx");

  // Baton asks again about a changed script, and it cannot be called. The same applies to a script that changes between the verdict and the
  // run.
  tool(daemon, "add", "add.py", `${ADD}# changed\n`, { access: { writes: ["ran"] } });
  expect((await list(daemon)).tools.map(({ status }) => status)).toEqual(["undecided"]);
});

const MODES = ["ask", "architect", "code"];
const ACCESSES: Record<string, { access: object; modes: string[] }> = {
  nothing: { access: {}, modes: MODES },
  reads: { access: { reads: ["src"] }, modes: MODES },
  writes: { access: { writes: ["out.txt"] }, modes: ["code"] },
  notes: { access: { writes: ["notes.md"] }, modes: ["architect", "code"] },
  runs: { access: { runs: ["git"] }, modes: ["code"] },
  hosts: { access: { hosts: ["api.example.com"] }, modes: MODES },
};

test("the declared access decides which modes allow a tool, and rules about it limit it", async () => {
  const config = { permissions: { edit: { "notes.md": "deny" }, tool: { "*": "allow" } } };
  await using daemon = await withTools((each) => {
    for (const [name, { access }] of Object.entries(ACCESSES)) tool(each, name, `${name}.sh`, "cat > /dev/null; echo ok", { access });
  });
  await approveAll(daemon);
  const { api } = daemon.connect();
  const effect = async (name: string, mode: string) => {
    const [verdict] = await api.permission.check.query([{ tool: name, input: { a: 1, b: 2 }, mode, cwd: daemon.workspace }]);
    return verdict && "effect" in verdict ? verdict.effect : verdict;
  };
  for (const mode of MODES)
    for (const [name, { modes }] of Object.entries(ACCESSES))
      expect([mode, name, await effect(name, mode)]).toEqual([mode, name, modes.includes(mode) ? "ask" : "deny"]);
  writeFileSync(path.join(daemon.home, "config.jsonc"), JSON.stringify(config));
  await expect.poll(() => effect("reads", "ask")).toBe("allow");
  expect([await effect("notes", "code"), await effect("writes", "code"), await effect("hosts", "ask")]).toEqual(["deny", "allow", "ask"]);
});

const BROKEN: Record<string, { files?: Record<string, string>; schema?: object | string; says: RegExp }> = {
  nojson: { files: { "nojson.sh": "" }, schema: "{ nope", says: /Line 1/ },
  noaccess: { files: { "noaccess.sh": "" }, schema: { ...SCHEMA, access: undefined }, says: /invalid at access/ },
  notype: { files: { "notype.sh": "" }, schema: { ...SCHEMA, input: {} }, says: /"type": "object"/ },
  badtype: {
    files: { "badtype.sh": "" },
    schema: { ...SCHEMA, input: { type: "object", properties: { a: { type: "nope" } } } },
    says: /JSON Schema/,
  },
  wildcard: { files: { "wildcard.sh": "" }, schema: { ...SCHEMA, access: { writes: ["*"] } }, says: /no wildcard/ },
  placeholder: { files: { "placeholder.sh": "" }, schema: { ...SCHEMA, access: { writes: ["{file}"] } }, says: /no such property/ },
  noscript: { says: /no script/ },
  twice: { files: { "twice.sh": "", "twice.py": "" }, says: /Several files/ },
  plain: { files: { plain: "hello" }, says: /chmod \+x/ },
  missing: {
    files: { "missing.x": "#!/usr/bin/env no-such-program-of-baton\n" },
    says: /no-such-program-of-baton, which is not installed/,
  },
  read_file: { files: { "read_file.sh": "" }, says: /Rename the script/ },
  bash: { files: { "bash.sh": "" }, says: /Rename the script/ },
  edit: { files: { "edit.sh": "" }, says: /Rename the script/ },
  Upper: { files: { "Upper.sh": "" }, says: /lower-case/ },
  linked: { says: /is a link/ },
};

test("a broken tool is listed with its problem and cannot be called, and the others work", async () => {
  await using daemon = await withTools((each) => {
    for (const [name, { files = {}, schema = SCHEMA }] of Object.entries(BROKEN)) {
      for (const [file, text] of Object.entries(files)) each.write(`.baton/tools/${file}`, text);
      each.write(`.baton/tools/${name}.tool.json`, typeof schema === "string" ? schema : JSON.stringify(schema));
    }
    chmodSync(path.join(each.workspace, ".baton/tools/missing.x"), 0o755);
    writeFileSync(path.join(each.root, "elsewhere.sh"), "touch ran\n");
    symlinkSync(path.join(each.root, "elsewhere.sh"), path.join(each.workspace, ".baton/tools/linked.sh"));
    tool(each, "fine", "fine.py", ADD);
    mkdirSync(path.join(each.home, "tools"));
    for (const name of ["fine", "own"]) {
      writeFileSync(path.join(each.home, `tools/${name}.sh`), "echo mine\n");
      writeFileSync(path.join(each.home, `tools/${name}.tool.json`), JSON.stringify(SCHEMA));
    }
  });
  const { tools, problems } = await list(daemon);
  for (const [name, { says }] of Object.entries(BROKEN))
    expect(`${name}: ${problems.find(({ file }) => file.endsWith(`/${name}.tool.json`))?.message}`).toMatch(says);
  expect(problems.find(({ file }) => file === ".baton/tools/fine.tool.json")?.message).toMatch(/tools\/fine\.sh has the same name/);
  expect(tools.map(({ name, layer }) => `${layer} ${name}`)).toEqual(["user fine", "user own"]);
  expect(problems).toHaveLength(Object.keys(BROKEN).length + 1);
});

const BAD: Record<string, { text: string; says: RegExp }> = {
  flood: { text: "head -c 100000000 /dev/zero", says: /printed more than 1 MB/ },
  endless: { text: "sleep 700", says: /did not end within 2 seconds/ },
  forks: { text: "(setsid sleep 701 &) ; sleep 702 & echo forked", says: /forked/ },
  text: { text: "echo plain words", says: /plain words/ },
  silent: { text: "true", says: /printed nothing/ },
  fails: { text: "echo reason >&2; exit 3", says: /exit code 3:\nreason/ },
  deaf: { text: "exec < /dev/null; echo '{\"half\": '", says: /\{"half":/ },
  crash: { text: "kill -9 $$", says: /ended by SIGKILL/ },
};

test("scripts that misbehave have limits, leave no process, and the model learns the reason", async () => {
  await using daemon = await withTools(
    (each) => {
      for (const [name, { text }] of Object.entries(BAD)) tool(each, name, `${name}.sh`, `${text}\n`, { timeout: 2 });
      tool(each, "late", "late.sh", "touch late\n");
      tool(each, "changes", "changes.sh", "echo '# x' >> .baton/tools/late.sh; echo ok\n");
    },
    { permissions: { tool: "allow" } },
  );
  await approveAll(daemon);
  const names = [...Object.keys(BAD), "changes", "late"];
  const session = await daemon.session({
    model: script(daemon, [{ calls: names.map((name) => ({ tool: name, input: { a: 1, b: 2 } })) }, { text: "Done." }]),
  });
  await session.runTurn("go");
  for (const [i, { says }] of Object.values(BAD).entries()) expect(results(session)[i]?.[1]).toMatch(says);
  expect(results(session).at(-1)?.[1]).toMatch(/has changed since|waits for your approval/);
  expect(existsSync(path.join(daemon.workspace, "late"))).toBe(false);
  const running =
    readFileSync("/proc/self/cmdline", "latin1") && (await import("node:child_process")).execFileSync("ps", ["-eo", "args"]).toString();
  for (const seconds of [700, 701, 702]) expect(running).not.toContain(`sleep ${seconds}`);
});

test("after a kill during a script, the outcome is unknown and the script does not run again", async () => {
  await using daemon = await withTools((each) => tool(each, "slow", "slow.sh", "echo run >> slow.log; sleep 703\n"), {
    permissions: { tool: "allow" },
  });
  await approveAll(daemon);
  const session = await daemon.session({ model: script(daemon, [call("slow"), { text: "Done." }]) });
  await session.prompt("go");
  await expect.poll(() => daemon.read("slow.log"), { timeout: 20_000 }).toBe("run\n");
  await daemon.kill();
  await daemon.start();
  const again = daemon.attach(session.id);
  await again.untilEnd();
  expect([again.finished.map(({ result }) => result.outcome), daemon.read("slow.log")]).toEqual([["unknown"], "run\n"]);
});

test("ten tools work in two sessions at once", async () => {
  const names = Array.from({ length: 10 }, (_, i) => `tool-${i}`);
  await using daemon = await withTools(
    (each) => {
      for (const name of names) tool(each, name, `${name}.sh`, `cat > /dev/null; echo ${name} >> calls.log; echo from ${name}\n`);
    },
    { permissions: { tool: "allow" } },
  );
  await approveAll(daemon);
  const sessions = await Promise.all(
    [1, 2].map(() =>
      daemon.session({
        model: script(daemon, [{ calls: names.map((name) => ({ tool: name, input: { a: 1, b: 2 } })) }, { text: "Done." }]),
      }),
    ),
  );
  await Promise.all(sessions.map((session) => session.prompt("go")));
  for (const session of sessions) {
    await session.untilEnd();
    expect(results(session).map(([, text]) => text.split("\n").at(-1))).toEqual(names.map((name) => `from ${name}`));
  }
  expect(daemon.read("calls.log").trim().split("\n").toSorted()).toEqual([...names, ...names].toSorted());
});
