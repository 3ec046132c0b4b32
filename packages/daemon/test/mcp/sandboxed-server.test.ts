import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { TestDaemon } from "../support/daemon.ts";
import { internet } from "../support/internet.ts";
import { script } from "../support/script.ts";

const works = hasBubblewrap();
const isNight = Boolean(process.env["BATON_EVERY_PAIR"]);

const fixture = fileURLToPath(new URL("../support/mcp/shell-mcp-server.ts", import.meta.url));

/** Declared access, with what the program can then read, change or reach. `ROOT` is the home of the user. */
const READS = { nothing: [], "a folder of the home": ["~/documents"], "a file": ["~/documents/a.txt", "missing.txt"] } as const;
const WRITES = { nothing: [], "a folder": ["notes"], "a file and the home": ["src/a.txt", "~/outside"], everything: ["."] } as const;
const HOSTS = { nothing: [], "a host": ["one.invalid"], "a wildcard and a port": ["*.wild.invalid", "two.invalid:8080"] } as const;

const readable = ["~/documents/a.txt", "~/documents/b.txt", "~/outside/c.txt", "~/.ssh/id_rsa", "src/a.txt"];
const writable = ["notes/new.txt", "src/a.txt", "top.txt", "~/outside/c.txt", "~/documents/a.txt", "~/new.txt"];
const reachable = ["one.invalid", "a.wild.invalid", "two.invalid", "two.invalid:8080", "denied.one.invalid"];

type Access = { reads: readonly string[]; writes: readonly string[]; hosts: readonly string[] };

const all = Object.values(READS).flatMap((reads, i) =>
  Object.values(WRITES).flatMap((writes, j) =>
    Object.values(HOSTS).map((hosts, k) => ({ reads, writes, hosts, isOften: (i + j + k) % 3 === 0 })),
  ),
);
/** A push tests each pair of kinds, and a night every combination. */
const cases: Access[] = (isNight ? all : all.filter(({ isOften }) => isOften)).map(({ reads, writes, hosts }) => ({
  reads,
  writes,
  hosts,
}));

const isBelow = (file: string, declared: readonly string[]) => declared.some((each) => file === each || file.startsWith(`${each}/`));
const isHere = (file: string) => !file.startsWith("~/");

/** What the program can do with this access. It always reads its own folder. */
const expected = ({ reads, writes, hosts }: Access) => [
  ...readable.filter((file) => isHere(file) || isBelow(file, reads) || isBelow(file, writes)).map((file) => `read ${file}`),
  ...writable.filter((file) => isBelow(file, writes) || (isHere(file) && writes.includes("."))).map((file) => `changed ${file}`),
  ...reachable
    .filter((host) => hosts.includes(host) || (host === "a.wild.invalid" && hosts.includes("*.wild.invalid")))
    .map((host) => `reached ${host}`),
];

const probe = (home: string, port: number, number: number) => `
at() { case "$1" in "~/"*) echo "${home}/\${1#\\~/}" ;; *) echo "$1" ;; esac; }
for file in ${readable.map((file) => `'${file}'`).join(" ")}; do grep -q secret "$(at "$file")" 2> /dev/null && echo "read $file"; done
for file in ${writable.map((file) => `'${file}'`).join(" ")}; do { echo "changed ${number}" > "$(at "$file")"; } 2> /dev/null; done
for host in ${reachable.join(" ")}; do curl -s -m 20 "http://$host/" | grep -q "hello from $host" && echo "reached $host"; done
curl -s -m 5 --noproxy '*' http://127.0.0.1:${port}/ > /dev/null && echo "reached the machine"
true
`;

/** The files of the machine, because a write in the private home of the sandbox succeeds as well. */
const contents = ({ root, workspace }: TestDaemon): string[] =>
  writable
    .map((file) => path.resolve(workspace, file.replace("~", root)))
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""));

/** The files before each call. */
function prepare({ root, workspace }: TestDaemon): void {
  for (const folder of ["documents", "outside", ".ssh"]) mkdirSync(path.join(root, folder), { recursive: true });
  for (const folder of ["src", "notes"]) mkdirSync(path.join(workspace, folder), { recursive: true });
  for (const file of ["documents/a.txt", "documents/b.txt", "outside/c.txt", ".ssh/id_rsa"])
    writeFileSync(path.join(root, file), "secret\n");
  writeFileSync(path.join(workspace, "src/a.txt"), "secret\n");
}

test.runIf(works)("a server in the sandbox has exactly the access that its settings declare", async () => {
  using web = await internet();
  await using daemon = await TestDaemon.start({
    config: {
      sandbox: "auto",
      permissions: { "*": "allow" },
      network: { deny: ["denied.one.invalid"] },
      mcpServers: Object.fromEntries(
        cases.map((access, i) => [
          `s${i}`,
          { command: process.execPath, args: [fixture], sandbox: { ...access, reads: [...access.reads, fixture] } },
        ]),
      ),
    },
    env: { HTTP_PROXY: web.url, HTTPS_PROXY: web.url },
  });
  const { root, workspace } = daemon;
  prepare(daemon);
  const session = await daemon.session({
    model: script(
      daemon,
      cases.flatMap((_, i) => [{ calls: [{ tool: `s${i}__run`, input: { command: probe(root, web.port, i) } }] }, { text: "ok" }]),
    ),
  });
  for (const [i, access] of cases.entries()) {
    prepare(daemon);
    const before = contents(daemon);
    await session.prompt("go");
    await session.until("the end", ({ state }) => state.turns > i && !state.turn, 60_000);
    const after = contents(daemon);
    const changed = writable.filter((_, at) => after[at] !== before[at]).map((file) => `changed ${file}`);
    const lines = session.finished[i]?.result.text.match(/^(read|reached) .*$/gm) ?? [];
    expect([
      access,
      [...lines.filter((line) => line.startsWith("read ")), ...changed, ...lines.filter((line) => line.startsWith("reached "))],
    ]).toEqual([access, expected(access)]);
  }
  const i = cases.findIndex(({ hosts }) => hosts.length === 1);
  const logs = await session.api.mcp.logs.query({ cwd: workspace, name: `s${i}` });
  expect(JSON.stringify(logs)).toMatch(/was not allowed to reach two\.invalid\. Add it to mcpServers\.s\d+\.sandbox\.hosts/);
});

test.runIf(works)(
  "the folder of a server opens nothing around it, and a server that may change everything cannot change what git executes",
  async () => {
    const server = (more: object) => ({
      command: process.execPath,
      args: [fixture],
      sandbox: { reads: [fixture], writes: ["."] },
      ...more,
    });
    await using daemon = await TestDaemon.start({
      config: (root) => ({
        sandbox: "auto",
        permissions: { "*": "allow" },
        mcpServers: { root: server({ cwd: "/" }), home: server({ cwd: root }), linked: server({ cwd: "link" }), work: server({}) },
      }),
    });
    const { workspace: cwd, root } = daemon;
    symlinkSync(root, path.join(cwd, "link"));
    execFileSync("git", ["init", "-q"], { cwd });
    const { api } = daemon.connect();
    for (const name of ["root", "home", "linked"])
      expect((await api.mcp.test.mutate({ cwd, name })).problem).toMatch(/contains your home folder\. Set another `cwd`/);
    const command = "echo evil > .git/hooks/pre-commit; echo evil >> .git/config; echo fine > file.txt; cat file.txt";
    const session = await daemon.session({
      model: script(daemon, [{ calls: [{ tool: "work__run", input: { command } }] }, { text: "ok" }]),
    });
    await session.runTurn("go");
    expect(session.finished[0]?.result.text).toContain("fine");
    expect(existsSync(path.join(cwd, ".git/hooks/pre-commit"))).toBe(false);
    expect(readFileSync(path.join(cwd, ".git/config"), "utf8")).not.toContain("evil");
  },
);

test.runIf(works)("a link in the workspace opens nothing outside of it", async () => {
  const server = (sandbox: object, more: object = {}) => ({ command: process.execPath, args: [fixture], sandbox, ...more });
  await using daemon = await TestDaemon.start({
    config: {
      sandbox: "auto",
      permissions: { "*": "allow" },
      mcpServers: {
        linked: server({ reads: [fixture, "data"], writes: ["notes", "src"] }),
        moved: server({ reads: [fixture] }, { cwd: "data" }),
      },
    },
  });
  const { workspace: cwd, root } = daemon;
  prepare(daemon);
  rmSync(path.join(cwd, "notes"), { recursive: true });
  symlinkSync(path.join(root, "outside"), path.join(cwd, "notes"));
  symlinkSync(path.join(root, "documents"), path.join(cwd, "data"));
  const { api } = daemon.connect();
  expect((await api.mcp.test.mutate({ cwd, name: "moved" })).problem).toMatch(/is a link that leads out of .*Set another `cwd`/);
  const command = `cat data/a.txt ${root}/documents/a.txt; echo evil > notes/c.txt; echo evil > ${root}/outside/c.txt; echo fine > src/a.txt; echo done`;
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "linked__run", input: { command } }] }, { text: "ok" }]),
  });
  await session.runTurn("go");
  expect(session.finished[0]?.result.text).toContain("done");
  expect(session.finished[0]?.result.text).not.toContain("secret");
  expect(readFileSync(path.join(root, "outside/c.txt"), "utf8")).toBe("secret\n");
  expect(daemon.read("src/a.txt")).toBe("fine\n");
  const logs = await session.api.mcp.logs.query({ cwd, name: "linked" });
  expect(JSON.stringify(logs)).toContain("is a link that leads out of the workspace, so it stays closed: notes, data");
});

test("a server that should run in the sandbox does not start without one", async () => {
  const server = { command: process.execPath, args: [fixture], sandbox: { reads: [fixture] } };
  await using daemon = await TestDaemon.start({
    config: { sandbox: "off", mcpServers: { inside: server, outside: { ...server, sandbox: undefined } } },
  });
  const { api } = daemon.connect();
  const { workspace: cwd } = daemon;
  const { problem } = await api.mcp.test.mutate({ cwd, name: "inside" });
  expect(problem).toMatch(/the sandbox is off in your settings.*remove `sandbox`/);
  expect(await api.mcp.test.mutate({ cwd, name: "outside" })).toMatchObject({ problem: null, status: "ready" });
});

test.runIf(works)("a project's server asks again when its access in the sandbox changes", async () => {
  await using daemon = await TestDaemon.start({ config: { sandbox: "auto", permissions: { "*": "allow" } } });
  const { api } = daemon.connect();
  const { workspace: cwd } = daemon;
  await api.workspace.trust.mutate({ cwd, trusted: true });
  const questions: string[] = [];
  for (const sandbox of [{ reads: [fixture] }, { reads: [fixture], hosts: ["one.invalid"] }, undefined]) {
    daemon.write(".mcp.json", JSON.stringify({ mcpServers: { shell: { command: process.execPath, args: [fixture], sandbox } } }));
    await expect.poll(async () => (await api.mcp.questions.query({ cwd })).length, { timeout: 10_000 }).toBe(1);
    const [question] = await api.mcp.questions.query({ cwd });
    questions.push(`${question?.text} ${JSON.stringify(question?.view)}`);
    await api.mcp.approve.mutate({ cwd, name: "shell", hash: question?.hash ?? "", approved: true });
  }
  expect(questions[0]).toMatch(/It runs in the sandbox.*reaches nothing/);
  expect(questions[1]).toMatch(/It runs in the sandbox.*reaches one\.invalid/);
  expect(questions[2]).toMatch(/It runs with your permissions/);
});
