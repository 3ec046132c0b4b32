import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { EnvironmentTool } from "@baton/core/protocol/config/dev-environment-tool";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { TestDaemon } from "../support/daemon.ts";
import { hasDirenv, hasVenv, miseFolder } from "../support/environment-tools.ts";
import { makeRepository } from "../support/git/repository.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const mise = miseFolder();
const allowed = { permissions: { "*": "allow" } };
const SYSTEM_PATH = ["/usr/local/bin", "/usr/bin", "/bin", ...(mise === undefined ? [] : [mise])].join(":");

const run = (command: string, more: object = {}) => ({ calls: [{ tool: "run_command", input: { command, ...more } }] });

/** The real tools. `make` prepares a folder; `probe` prints one thing with the environment, and `none` prints "none" without. */
type Case = {
  works: boolean;
  source: string;
  make: (daemon: TestDaemon) => void;
  change: (daemon: TestDaemon) => void;
  probe: string;
  first: (daemon: TestDaemon) => string;
  second: (daemon: TestDaemon) => string;
  approves: boolean;
};

const program = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
};

const cases: Record<EnvironmentTool, Case> = {
  direnv: {
    works: hasDirenv(),
    source: ".envrc",
    make: (daemon) => daemon.write(".envrc", "export PROBE=one\n"),
    change: (daemon) => daemon.write(".envrc", "export PROBE=two\n"),
    probe: "printenv PROBE || echo none",
    first: () => "one",
    second: () => "two",
    approves: true,
  },
  mise: {
    works: mise !== undefined,
    source: "mise.toml",
    make: (daemon) => daemon.write("mise.toml", `[env]\nPROBE = "{{exec(command='echo one')}}"\n`),
    change: (daemon) => daemon.write("mise.toml", `[env]\nPROBE = "two"\n`),
    probe: "printenv PROBE || echo none",
    first: () => "one",
    second: () => "two",
    approves: true,
  },
  nvm: {
    works: true,
    source: ".nvmrc",
    make: (daemon) => {
      for (const [version, says] of [
        ["v20.1.0", "old"],
        ["v20.11.1", "one"],
        ["v22.3.0", "two"],
      ] as const)
        program(path.join(daemon.root, ".nvm", "versions", "node", version, "bin", "probe"), `#!/bin/sh\necho ${says}\n`);
      mkdirSync(path.join(daemon.root, ".nvm", "alias", "lts"), { recursive: true });
      writeFileSync(path.join(daemon.root, ".nvm", "alias", "lts", "jod"), "v22.3.0\n");
      daemon.write(".nvmrc", "20\n");
    },
    change: (daemon) => daemon.write(".nvmrc", "lts/jod\n"),
    probe: "probe 2>/dev/null || echo none",
    first: () => "one",
    second: () => "two",
    approves: false,
  },
  venv: {
    works: hasVenv(),
    source: ".venv",
    make: (daemon) => {
      execFileSync("/usr/bin/python3", ["-m", "venv", "--without-pip", ".venv"], { cwd: daemon.workspace });
      daemon.write("probe.py", "import sys\nprint(sys.prefix if sys.prefix != sys.base_prefix else 'none')\n");
    },
    change: (daemon) => daemon.write(".venv/bin/other", "#!/bin/sh\n"),
    probe: "python3 probe.py",
    first: ({ workspace }) => path.join(workspace, ".venv"),
    second: ({ workspace }) => path.join(workspace, ".venv"),
    approves: false,
  },
};

const start = (config: object = {}): Promise<TestDaemon> =>
  TestDaemon.start({ config: { ...allowed, ...config }, env: { PATH: SYSTEM_PATH, XDG_CONFIG_HOME: "" } });

const trust = (daemon: TestDaemon, trusted = true) => daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted });
const report = (daemon: TestDaemon) => daemon.connect().api.workspace.environment.query({ cwd: daemon.workspace });
const choose = (daemon: TestDaemon, tools: EnvironmentTool[] | "none" | null, hashes: string[] = []) =>
  daemon.connect().api.workspace.setEnvironment.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace, tools, hashes });

/** Chooses tools and approves their files as they are now. */
async function use(daemon: TestDaemon, tools: EnvironmentTool[]): Promise<void> {
  const found = (await report(daemon)).tools.filter(({ tool }) => tools.includes(tool));
  await choose(
    daemon,
    tools,
    found.flatMap(({ hash }) => hash ?? []),
  );
}

/** A session that has run these commands. Questions about calls are answered, others stay open. */
async function ran(daemon: TestDaemon, ...commands: string[]): Promise<TestSession> {
  const session = await daemon.session({ model: script(daemon, [...commands.map((command) => run(command)), { text: "Done." }]) });
  await session.prompt("go");
  const waiting = () => openRequests(session.state).filter(({ subject }) => "call" in subject);
  for (;;) {
    await session.until("a question or the end", ({ state }) => waiting().length > 0 || (state.turns > 0 && !state.turn));
    const [request] = waiting();
    if (!request) return session;
    await session.answer({ choice: "once" }, request.id);
  }
}

const texts = ({ finished }: TestSession): string[] => finished.map(({ result }) => result.text.replace(/^exit \d+, .*\n/, "").trimEnd());
const offers = ({ state }: TestSession) => openRequests(state).filter(({ subject }) => "environment" in subject);

for (const [tool, each] of Object.entries(cases) as [EnvironmentTool, Case][]) {
  test.runIf(each.works)(
    `${tool}: commands get the environment only in a trusted folder, if the user chose it and approved its files`,
    async () => {
      await using daemon = await start();
      each.make(daemon);
      for (const trusted of [false, true])
        for (const setting of [undefined, "none", tool] as const)
          for (const isChanged of [false, true]) {
            await trust(daemon, true);
            each.make(daemon);
            await choose(daemon, setting === "none" ? "none" : null);
            if (setting === tool) await use(daemon, [tool]);
            if (isChanged) each.change(daemon);
            await trust(daemon, trusted);
            const session = await ran(daemon, each.probe);
            const isKnown = !each.approves || !isChanged;
            const isUsed = trusted && setting === tool && isKnown;
            const name = JSON.stringify({ tool, trusted, setting, isChanged });
            expect([name, texts(session)]).toEqual([name, [isUsed ? (isChanged ? each.second(daemon) : each.first(daemon)) : "none"]]);
            const asks = trusted && (setting === undefined || (setting === tool && !isKnown));
            const asked = offers(session).map(({ subject }) =>
              "uses" in subject ? [subject.environment, ...subject.uses, subject.hashes.length] : [],
            );
            expect([name, asked]).toEqual([name, asks ? [[daemon.workspace, tool, each.approves ? 1 : 0]] : []]);
          }
    },
  );

  test.runIf(each.works)(`${tool}: Baton offers it once, stores the answer in the user's config, and ten sessions use it`, async () => {
    await using daemon = await start();
    await trust(daemon);
    each.make(daemon);
    const first = await ran(daemon, each.probe);
    const [offer] = offers(first);
    expect(offer).toMatchObject({ header: "Use this environment?", text: expect.stringContaining(each.source) as string });
    const second = await ran(daemon, each.probe);
    await first.answer({ choice: "workspace" }, offer?.id);
    await expect.poll(async () => (await report(daemon)).tools).toMatchObject([{ tool, status: "used" }]);
    expect(JSON.parse(readFileSync(path.join(daemon.home, "config.jsonc"), "utf8"))).toMatchObject({
      environments: { [daemon.workspace]: [tool] },
    });
    expect(offers(second)).toEqual([]);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => ran(daemon, each.probe)));
    expect(sessions.map(texts)).toEqual(sessions.map(() => [each.first(daemon)]));
    expect(sessions.flatMap(offers)).toEqual([]);
    await daemon.kill();
    await daemon.start();
    expect(texts(await ran(daemon, each.probe))).toEqual([each.first(daemon)]);
  });

  test.runIf(each.works)(`${tool}: a refusal is not asked again`, async () => {
    await using daemon = await start();
    await trust(daemon);
    each.make(daemon);
    const first = await ran(daemon, each.probe);
    await first.answer({ choice: "deny" }, offers(first)[0]?.id);
    await expect.poll(async () => (await report(daemon)).tools).toMatchObject([{ tool, status: "off" }]);
    const later = await ran(daemon, each.probe);
    expect([texts(later), offers(later)]).toEqual([["none"], []]);
  });
}

test("a file of the repository cannot turn an environment on", async () => {
  await using daemon = await start();
  await trust(daemon);
  cases.nvm.make(daemon);
  daemon.write(".baton/config.jsonc", JSON.stringify({ environments: { [daemon.workspace]: ["nvm"] } }));
  expect(texts(await ran(daemon, cases.nvm.probe))).toEqual(["none"]);
});

test.runIf(hasDirenv())("a file that .envrc reads is approved with it, and one that it does not name stops it", async () => {
  await using daemon = await start();
  await trust(daemon);
  daemon.write("more.sh", "export PROBE=one\n");
  daemon.write(".envrc", "source_env more.sh\n");
  await use(daemon, ["direnv"]);
  expect(texts(await ran(daemon, "printenv PROBE || echo none"))).toEqual(["one"]);
  daemon.write("more.sh", "export PROBE=evil\n");
  const changed = await ran(daemon, "printenv PROBE || echo none");
  expect(texts(changed)).toEqual(["none"]);
  expect(offers(changed)).toMatchObject([
    { text: expect.stringContaining("which has changed") as string, view: { text: expect.stringContaining("PROBE=evil") as string } },
  ]);
  daemon.write(".envrc", "name=mo; source_env ${name}re.sh\n");
  await use(daemon, ["direnv"]);
  const hidden = await ran(daemon, "printenv PROBE || echo none");
  expect(texts(hidden)).toEqual([expect.stringMatching(/^none\n+\(\.envrc reads more\.sh without naming it/) as string]);
});

test.runIf(mise !== undefined)("mise refuses a file that you did not approve, also above the folder", async () => {
  await using daemon = await start();
  await trust(daemon);
  cases.mise.make(daemon);
  writeFileSync(path.join(daemon.root, "mise.toml"), '[env]\nPROBE = "above"\nABOVE = "yes"\n');
  await use(daemon, ["mise"]);
  expect(texts(await ran(daemon, "printenv PROBE ABOVE"))).toEqual([expect.stringMatching(/one$/) as string]);
  daemon.write(".config/mise/conf.d/more.toml", '[env]\nPROBE = "evil"\n');
  await use(daemon, ["mise"]);
  expect(texts(await ran(daemon, "printenv PROBE || echo none"))).toEqual([
    expect.stringMatching(/^none\n+\(mise gave no environment: /) as string,
  ]);
});

test.runIf(hasDirenv()).each([
  ["fails", "echo broken >&2; exit 3\n", /direnv gave no environment: it ended with \d+/],
  ["hangs", "sleep 600\n", /direnv gave no environment: it did not end within 10 seconds\./],
  ["floods the error output", "yes broken >&2\n", /direnv gave no environment: it printed more than 1 MB\./],
  [
    "floods the environment",
    'long=$(printf %0800d 1); for i in $(seq 1500); do export "V$i=$long"; done\n',
    /direnv gave no environment: it printed more than 1 MB\./,
  ],
])("a tool that %s is reported once in each session, and commands run as before", async (_, envrc, report_) => {
  await using daemon = await start();
  await trust(daemon);
  daemon.write(".envrc", envrc);
  await use(daemon, ["direnv"]);
  for (let i = 0; i < 2; i++) {
    const [first, second] = texts(await ran(daemon, "echo here", "echo there"));
    expect(first).toMatch(report_);
    expect(first).toMatch(/^here\n+\(/);
    expect(second).toBe("there");
  }
  expect((await report(daemon)).tools).toMatchObject([{ tool: "direnv", status: "failed" }]);
});

test.runIf(hasDirenv())("secrets and variables that make programs load something are not passed on, and the note names them", async () => {
  await using daemon = await start();
  await trust(daemon);
  const lines = [
    "API_TOKEN=x",
    "NODE_OPTIONS=--require=./evil.js",
    "PYTHONPATH=lib",
    "GIT_SSH_COMMAND=evil",
    "BASH_ENV=evil",
    "PAGER=evil",
    "EDITOR=evil",
    "RIPGREP_CONFIG_PATH=rg",
    "JAVA_HOME=$PWD/java",
    "HTTP_PROXY=http://evil",
    "FINE=yes",
  ];
  daemon.write(".envrc", lines.map((line) => `export ${line}\n`).join(""));
  await use(daemon, ["direnv"]);
  const [text = ""] = texts(await ran(daemon, "env"));
  expect(text).toMatch(/^\(Commands do not get these variables of direnv: .*API_TOKEN/m);
  expect(text).toMatch(/^FINE=yes$/m);
  expect(text).toMatch(/^PAGER=cat$/m);
  expect(text).not.toMatch(/=.*(evil|rg$|java)/m);
  expect(text).not.toMatch(/^(API_TOKEN|PYTHONPATH)=/m);
});

test.runIf(hasVenv())("a program of the environment is judged as a file of the project", async () => {
  await using daemon = await start({ permissions: {} });
  await trust(daemon);
  cases.venv.make(daemon);
  program(path.join(daemon.workspace, ".venv/bin/tokei"), "#!/bin/sh\necho evil\n");
  program(path.join(daemon.workspace, ".venv/bin/ls"), "#!/bin/sh\necho evil\n");
  await use(daemon, ["venv"]);
  const session = await daemon.session({ model: script(daemon, [run("ls"), run("tokei probe.py"), { text: "Done." }]) });
  await session.prompt("go");
  const request = await session.untilOpen();
  expect(request.verdicts?.map(({ resource, effect }) => [resource, effect])).toContainEqual([".venv/bin/tokei probe.py", "ask"]);
  expect(texts(session)).toEqual(["probe.py"]); // ls is that of the system
});

test.runIf(hasVenv())("a grant for a program of the environment names its path and covers later calls", async () => {
  await using daemon = await start({ permissions: {} });
  await trust(daemon);
  cases.venv.make(daemon);
  await use(daemon, ["venv"]);
  const session = await daemon.session({
    model: script(daemon, [run("python3 probe.py"), run("ls && python3 probe.py"), { text: "Done." }]),
  });
  await session.prompt("go");
  const request = await session.untilOpen();
  expect(request.remember).toEqual({ action: "command", resource: ".venv/bin/python3 probe.py", effect: "allow" });
  await session.answer({ choice: "session" }, request.id);
  await session.untilEnd();
  expect(texts(session)).toEqual([cases.venv.first(daemon), expect.stringContaining(cases.venv.first(daemon)) as string]);
});

test.runIf(hasVenv())("a command that would start another program than was shown is asked again", async () => {
  await using daemon = await start({ permissions: { command: "ask" } });
  await trust(daemon);
  cases.venv.make(daemon);
  await use(daemon, ["venv"]);
  const session = await daemon.session({ model: script(daemon, [run("hello"), { text: "Done." }]) });
  await session.prompt("go");
  const request = await session.untilOpen();
  program(path.join(daemon.workspace, ".venv/bin/hello"), "#!/bin/sh\necho hello\n");
  await report(daemon);
  await session.answer({ choice: "once" }, request.id);
  await session.until("a new question", ({ state }) => state.counts.opened === 2);
  expect(openRequests(session.state)).toMatchObject([{ text: "run hello. Here, hello is .venv/bin/hello of the project" }]);
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(texts(session)).toEqual(["hello"]);
});

test("a place uses the choice of its source, with its own files", async () => {
  await using daemon = await start();
  makeRepository(daemon.workspace);
  await trust(daemon);
  cases.nvm.make(daemon);
  await use(daemon, ["nvm"]);
  execFileSync("git", ["add", ".nvmrc"], { cwd: daemon.workspace });
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "nvm"], { cwd: daemon.workspace });
  const { api } = daemon.connect();
  const place = await api.place.create.mutate({ commandId: crypto.randomUUID(), cwd: daemon.workspace });
  const found = await api.workspace.environment.query({ cwd: place.workspace });
  expect(found.tools).toMatchObject([{ tool: "nvm", status: "used" }]);
});

test.runIf(existsSync("/usr/bin/npm"))(
  "a command that only reads does not start a program that an agent wrote into the environment",
  async () => {
    await using daemon = await TestDaemon.start({ config: {}, env: { PATH: SYSTEM_PATH, XDG_CONFIG_HOME: "" } });
    await trust(daemon);
    const written = path.join(daemon.root, "written.txt");
    daemon.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    program(path.join(daemon.workspace, ".venv", "bin", "node"), `#!/bin/sh\necho x >> ${written}\n`);
    await use(daemon, ["venv"]);
    const session = await ran(daemon, "npm --version", "git status; npm ls --json");
    expect(session.state.counts.opened).toBe(0);
    expect(existsSync(written)).toBe(false);
    await ran(daemon, "node -v"); // a question shows its path
    expect(readFileSync(written, "utf8")).toBe("x\n");
  },
);

test("a link to a folder outside of the project is no program of the project", async () => {
  await using daemon = await start();
  await trust(daemon);
  const outside = path.join(daemon.root, ".virtualenvs", "app");
  program(path.join(outside, "bin", "probe"), "#!/bin/sh\necho outside\n");
  writeFileSync(path.join(outside, "pyvenv.cfg"), "home = /usr/bin\n");
  symlinkSync(outside, path.join(daemon.workspace, "venv"));
  await use(daemon, ["venv"]);
  const first = "probe; printenv PATH | cut -d: -f1";
  expect(texts(await ran(daemon, first))).toEqual([`outside\n${path.join(outside, "bin")}`]); // an agent can change the link itself
});

test.runIf(hasBubblewrap())(
  "a virtual environment that is a link works in the sandbox, and a link to other folders opens nothing",
  async () => {
    await using daemon = await start({ sandbox: "on" });
    await trust(daemon);
    const outside = path.join(daemon.root, ".virtualenvs", "app");
    program(path.join(outside, "bin", "probe"), "#!/bin/sh\necho outside\n");
    writeFileSync(path.join(outside, "pyvenv.cfg"), "home = /usr/bin\n");
    symlinkSync(outside, path.join(daemon.workspace, "venv"));
    await use(daemon, ["venv"]);
    expect(texts(await ran(daemon, "probe"))).toEqual(["outside"]);
    const keys = path.join(daemon.root, ".keys");
    program(path.join(keys, "key"), "secret\n");
    daemon.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    symlinkSync(keys, path.join(daemon.workspace, ".venv", "bin"));
    const [seen] = texts(await ran(daemon, `cat ${path.join(keys, "key")}; printenv PATH`));
    expect(seen).toContain("No such file");
    expect(seen).not.toContain(keys + ":");
    expect((await report(daemon)).problems[0]).toContain("is in no virtual environment");
  },
);

test.runIf(hasBubblewrap() && hasDirenv())(
  "a link in the project that .envrc puts on the PATH opens nothing outside of the project",
  async () => {
    await using daemon = await start({ sandbox: "on" });
    await trust(daemon);
    const keys = path.join(daemon.root, ".keys");
    program(path.join(keys, "key"), "secret\n");
    symlinkSync(keys, path.join(daemon.workspace, "tools"));
    daemon.write(".envrc", "PATH_add tools\n");
    await use(daemon, ["direnv"]);
    const [seen] = texts(await ran(daemon, `cat ${path.join(keys, "key")}; printenv PATH`));
    expect(seen).toContain("No such file");
    expect(seen).not.toContain(`${daemon.workspace}/tools`);
  },
);

test.runIf(hasBubblewrap() && hasDirenv() && hasVenv() && mise !== undefined)(
  "in the sandbox, tools run inside and commands find the programs",
  async () => {
    await using daemon = await start({ sandbox: "on" });
    await trust(daemon);
    const outside = path.join(daemon.root, "outside.txt");
    cases.venv.make(daemon);
    cases.nvm.make(daemon);
    daemon.write(".envrc", `echo x > ${outside}\nexport PROBE=one\n`);
    daemon.write("mise.toml", "[env]\nOTHER = \"{{exec(command='echo two')}}\"\n");
    await use(daemon, ["direnv", "mise", "nvm", "venv"]);
    expect(texts(await ran(daemon, "printenv PROBE; printenv OTHER; probe; python3 probe.py"))).toEqual([
      `one\ntwo\none\n${path.join(daemon.workspace, ".venv")}`,
    ]);
    expect(existsSync(outside)).toBe(false);
    chmodSync(daemon.root, 0o755);
  },
);

test("the context of a session names the environment", async () => {
  await using daemon = await start();
  await trust(daemon);
  cases.nvm.make(daemon);
  await use(daemon, ["nvm"]);
  const session = await ran(daemon, "echo hi");
  const context = await session.api.session.context.query({ sessionId: session.id });
  expect(context.environment).toEqual(["nvm"]);
  await choose(daemon, "none");
  expect((await session.api.session.context.query({ sessionId: session.id })).environment).toBeUndefined();
});

test.runIf(hasVenv())("a command that was approved before a restart has the environment", async () => {
  await using daemon = await start({ permissions: { command: "ask" } });
  await trust(daemon);
  cases.venv.make(daemon);
  await use(daemon, ["venv"]);
  const session = await daemon.session({ model: script(daemon, [run(cases.venv.probe), { text: "Done." }]) });
  await session.prompt("go");
  const request = await session.untilOpen();
  await daemon.kill();
  await daemon.start();
  const again = daemon.attach(session.id);
  await again.untilOpen();
  await again.answer({ choice: "once" }, request.id);
  await again.until("the end or another question", ({ state }) => state.turns > 0 && (!state.turn || openRequests(state).length > 0));
  for (const { id } of openRequests(again.state)) await again.answer({ choice: "once" }, id);
  await again.untilEnd();
  expect(texts(again)).toEqual([cases.venv.first(daemon)]);
});

test.runIf(hasBubblewrap() && hasDirenv())(
  "a folder of the home that has no programs stays closed, even if .envrc puts it on the PATH",
  async () => {
    await using daemon = await start({ sandbox: "on" });
    await trust(daemon);
    program(path.join(daemon.root, ".keys", "key"), "secret\n");
    program(path.join(daemon.root, ".tools", "bin", "probe"), "#!/bin/sh\necho outside\n");
    daemon.write(".envrc", `PATH_add ${daemon.root}/.keys\nPATH_add ${daemon.root}/.tools/bin\n`);
    await use(daemon, ["direnv"]);
    const [seen] = texts(await ran(daemon, `probe; cat ${daemon.root}/.keys/key; true`));
    expect(seen).toMatch(/^outside\n.*No such file/);
  },
);
