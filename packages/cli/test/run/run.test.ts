import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openHome } from "../support/home.ts";
import { linesOf } from "../support/json-lines.ts";

const command = call("run_command", { command: "echo hi" });

test("the answer goes to stdout, and the progress to stderr", async () => {
  await using home = openHome();
  const model = home.script({ text: "Hello there." });
  for (const prompt of ["go", "/etc/hosts is wrong", " /nosuch is text"])
    expect(await home.run(["run", prompt, "--model", model])).toEqual({ code: 0, out: "Hello there.\n", err: "" });
});

test.for([
  ["deny", 0, false],
  ["allow", 0, true],
  ["fail", 3, false],
] as const)("requests of a subtask are answered like those of the turn: %s", async ([onRequest, exit, isMade]) => {
  await using home = openHome();
  const touch = call("run_command", { command: "touch made" });
  const models = {
    orchestrator: home.script({ calls: [call("new_task", { mode: "code", message: "Make it." })] }, { text: "That is all." }),
    code: home.script({ calls: [touch] }, { calls: [call("attempt_completion", { result: "So it is." })] }),
  };
  const modes = Object.fromEntries(Object.entries(models).map(([slug, model]) => [slug, { model }]));
  home.configure({ modes });
  const { code, out } = await home.run(["run", "go", "--mode", "orchestrator", "--json", "--on-request", onRequest]);
  expect(code).toBe(exit);
  expect(linesOf(out).at(-1)).toMatchObject({ status: exit === 3 ? "waiting" : "completed", requests: { opened: 1 } });
  expect(existsSync(path.join(home.workspace, "made"))).toBe(isMade);
  if (exit === 3) return;
  const session = String(linesOf(out).at(-1)?.["session"]);
  const used = await home.run(["usage", "--session", session, "--json"]);
  expect(linesOf(used.out)).toMatchObject([
    { turn: "1", steps: 2 },
    { turn: expect.stringMatching(`^${session}\\.`) as unknown, steps: 2 },
  ]);
});

test("`baton usage` and `baton show` name tokens that were written to the cache", async () => {
  await using home = openHome();
  const model = home.script({ text: "Hello.", usage: { input: 1_200, cachedInput: 800, cacheWrite: 150, output: 40 } });
  const { out } = await home.run(["run", "go", "--json", "--model", model]);
  const session = String(linesOf(out).at(-1)?.["session"]);
  expect((await home.run(["show", session])).out).toContain("1,200 tokens in (800 cached, 150 written to the cache), 40 out");
  const table = (await home.run(["usage", "--session", session])).out.split("\n").map((line) => line.trim().split(/ {2,}/));
  expect(table[0]?.slice(0, 6)).toEqual(["turn", "input", "cached", "written", "output", "reasoning"]);
  expect(table[1]?.slice(0, 6)).toEqual(["1", "1,200", "800", "150", "40", "0"]);
});

test("the output names what an undecided folder disables, once the folder has something to disable", async () => {
  await using home = openHome();
  const model = home.script({ text: "Hello." });
  writeFileSync(path.join(home.workspace, "CLAUDE.md"), "Be brief.");
  const left = "This folder is not trusted, so Baton ignores CLAUDE.md. `baton trust` trusts it.\n";
  expect(await home.run(["run", "go", "--model", model])).toEqual({ code: 0, out: "Hello.\n", err: left });
  await home.run(["trust"]);
  expect(await home.run(["run", "go", "--model", model])).toEqual({ code: 0, out: "Hello.\n", err: "" });
});

test.each([
  ["nothing", { text: "" }],
  ["reasoning only", { text: " ", reasoning: "Hm." }],
])("an empty answer is a failure: %s", async (_, reply) => {
  await using home = openHome();
  const ran = await home.run(["run", "go", "--model", home.script(reply)]);
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("The model's reply was empty") as unknown });
  expect(ran.out.trim()).toBe("");
  const [row] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  expect((await home.run(["show", row?.id ?? ""])).out).toContain("The model's reply was empty");
});

test("a turn whose calls are all denied ends by itself", async () => {
  await using home = openHome();
  const model = home.script(...Array.from({ length: 20 }, () => ({ calls: [command] })));
  const { code, out } = await home.run(["run", "go", "--json", "--model", model]);
  expect(code).toBe(4);
  expect(linesOf(out).at(-1)).toMatchObject({ status: "denied", steps: 5 });
});

test("with --json every line is an event or a frame, and the last line is the result", async () => {
  await using home = openHome();
  const { code, out } = await home.run(
    ["run", "-", "--json", "--model", home.script({ text: "Hello there.", stream: { characters: 5, everyMs: 1 } })],
    "go",
  );
  const lines = linesOf(out);
  const events = lines.filter((line) => "seq" in line);
  expect(code).toBe(0);
  expect(events.map(({ seq, type }) => `${String(seq)} ${String(type)}`)).toEqual([
    "1 session.created",
    "2 prompt.received",
    "3 prompt.delivered",
    "4 model.started",
    "5 model.replied",
    "6 turn.ended",
  ]);
  expect(lines.slice(0, -1).every((line) => "seq" in line || "frame" in line)).toBe(true);
  expect(lines.at(-1)).toMatchObject({
    type: "result",
    status: "completed",
    text: "Hello there.",
    steps: 1,
    usage: { input: 0, cachedInput: 0, output: 0, cost: 0 },
    requests: { opened: 0, answered: 0, denied: 0 },
  });
});

test("without a user, the request is denied, and exit code 4 says that the turn ended because of it", async () => {
  await using home = openHome();
  const { code, out } = await home.run([
    "run",
    "go",
    "--json",
    "--model",
    home.script({ calls: [command] }, { text: "Not allowed, so I stop." }),
  ]);
  expect(linesOf(out).at(-1)).toMatchObject({ status: "denied", requests: { opened: 1, answered: 1, denied: 1 } });
  expect(code).toBe(4);
});

test("--on-request allow allows once, and fail leaves the request open with exit code 3", async () => {
  await using home = openHome();
  const model = home.script({ calls: [command] }, { text: "Done." });
  const allowed = await home.run(["run", "go", "--on-request", "allow", "--model", model]);
  const failed = await home.run(["run", "go", "--on-request", "fail", "--model", model]);
  expect([allowed.code, allowed.out, failed.code]).toEqual([0, "Done.\n", 3]);
  const inbox: unknown = JSON.parse((await home.run(["inbox", "--json"])).out);
  expect(inbox).toMatchObject([
    { kind: "approval", tool: "run_command", choices: [{ id: "once" }, { id: "session" }, { id: "workspace" }, { id: "deny" }] },
  ]);
});

test("with --json there is a result even if no turn could start", async () => {
  await using home = openHome();
  const { code, out, err } = await home.run(["run", "go", "--json", "--mode", "nix", "--model", home.script({ text: "x" })]);
  expect(code).toBe(2);
  expect(linesOf(out)).toMatchObject([
    { type: "result", session: null, status: "failed", message: expect.stringContaining("nix") as unknown },
  ]);
  expect(err).toContain('There is no mode "nix".');
});

test("the path of a script is relative to the working directory, and a session is named by a prefix of its id", async () => {
  await using home = openHome();
  writeFileSync(path.join(home.workspace, "hello.json"), JSON.stringify({ replies: [{ text: "Hello." }, { text: "Again." }] }));
  const first = await home.run(["run", "go", "--json", "--model", "scripted/hello.json"]);
  const session = String(linesOf(first.out).at(-1)?.["session"]);
  const again = await home.run(["run", "go", "--session", session.slice(0, 4)]);
  expect(again).toEqual({ code: 0, out: "Again.\n", err: "" });
});

test("a failure is reported once", async () => {
  await using home = openHome();
  const { code, err } = await home.run(["run", "go", "--model", "scripted/nothing.json"]);
  expect(code).toBe(2);
  expect(err.split("nothing.json cannot be read")).toHaveLength(2);
  expect(err).toContain("The turn failed.");
});

test("input that is too large for one message is refused, and not sent repeatedly", async () => {
  await using home = openHome();
  const { code, out, err } = await home.run(["run", "-", "--model", home.script({ text: "never" })], "x".repeat(2_000_000));
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("The message is larger than 1 MB");
});

test("problems of the settings appear on stderr, and the turn runs", async () => {
  await using home = openHome();
  writeFileSync(
    home.file("config.jsonc"),
    '{ "permisions": {}, "providers": { "work": { "kind": "openai", "apiKey": "{env:NOT_SET_HERE}" } } }',
  );
  const ran = await home.run(["run", "hi", "--json", "--model", home.script({ text: "Hello." })]);
  expect(ran.code).toBe(0);
  expect(ran.err).toMatch(/config\.jsonc:1:3 Unknown key "permisions"\. Did you mean "permissions"\?/);
  expect(ran.err).toContain("providers.work.apiKey: the variable NOT_SET_HERE is not set in the daemon's environment");
  const refused = await home.run(["run", "hi", "--model", "work/gpt-5.6"]);
  expect(refused.err).toContain("There is no key for work: the variable NOT_SET_HERE, which its apiKey names, is not set");
  expect((await home.run(["doctor"])).out).toMatch(/– config .*NOT_SET_HERE/);
});
