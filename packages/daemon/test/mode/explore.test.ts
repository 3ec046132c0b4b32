import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

type Replies = Parameters<typeof script>[1];
const call = (tool: string, input: object) => ({ tool, input });
const read = (file: string) => call("read_file", { path: file });
const done = { calls: [call("attempt_completion", { result: "Found it." })] };
const explore = (message = "Where is it?", mode = "explore") => call("new_task", { mode, message });
const everything = { permissions: { "*": "allow" } };

type World = { parent: Replies; child?: Replies; config?: object; modes?: Record<string, string>; mode?: string };

/** A session that delegates, with modes of the user. Each mode has its own script. */
async function delegating({ parent, child = [done], config = {}, modes = {}, mode = "code" }: World) {
  const daemon = await TestDaemon.start({
    config: (root) => ({
      ...config,
      modes: { [mode]: { model: script({ root }, [...parent, { text: "Done." }]) }, explore: { model: script({ root }, child) } },
    }),
  });
  mkdirSync(path.join(daemon.home, "modes"), { recursive: true });
  for (const [name, text] of Object.entries(modes)) writeFileSync(path.join(daemon.home, "modes", `${name}.md`), text);
  for (const file of ["src/a.ts", "src/secret.ts", "docs/a.md"]) daemon.write(file, `text of ${file}\n`);
  const session = await daemon.session({ mode });
  await session.prompt("go");
  return { daemon, session };
}

const outcomes = ({ finished }: TestSession) => finished.map(({ result }) => result.outcome);

test("code hands questions to explore without asking, side by side, and each returns one report", async () => {
  const { daemon, session } = await delegating({
    parent: [{ calls: [explore("Where is one?"), explore("Where is two?")] }],
    child: [{ calls: [read("src/a.ts"), call("search_text", { pattern: "secret" })] }, done],
  });
  await using _ = daemon;
  await session.untilEnd();
  expect(session.events.some(({ type }) => type === "request.opened")).toBe(false);
  expect(session.finished.map(({ result: { outcome, text, child } }) => [outcome, child?.mode, text.endsWith("Found it.")])).toEqual([
    ["ok", "explore", true],
    ["ok", "explore", true],
  ]);
});

test("explore changes nothing and delegates nothing, and code delegates only to explore, whatever the rules allow", async () => {
  const changing = [
    call("write_file", { path: "new.txt", content: "x" }),
    call("edit_file", { path: "src/a.ts", old_text: "text", new_text: "x" }),
    call("delete_file", { path: "src/a.ts" }),
    call("rename_symbol", { path: "src/a.ts", symbol: "text", new_name: "x" }),
    call("run_command", { command: "touch new.txt" }),
    explore(),
    call("switch_mode", { mode_slug: "code" }),
  ];
  const { daemon, session } = await delegating({
    parent: [{ calls: [explore(), explore("Change it.", "code"), explore("Change it.", "orchestrator")] }],
    child: [...changing.map((each) => ({ calls: [each] })), done],
    config: everything,
  });
  await using _ = daemon;
  await session.untilEnd();
  expect(outcomes(session)).toEqual(["ok", "denied", "denied"]);
  using child = daemon.attach(`${session.id}.s1.1`);
  await child.untilEnd();
  expect(outcomes(child).slice(0, changing.length)).not.toContain("ok");
  expect([daemon.read("src/a.ts"), daemon.read("new.txt"), child.state.mode]).toEqual(["text of src/a.ts\n", "", "explore"]);
});

const parentMode = (limits: string) =>
  `---\nname: Code\ndescription: x\n${limits.includes("groups") ? "" : "groups: [read, edit, orchestrate]\n"}${limits}\n---\nYou write.\n`;

test.each([
  ["disallowedFilePaths: ['secret']", ["src/a.ts", "docs/a.md"]],
  ["allowedFilePaths: ['^docs/']", ["docs/a.md"]],
  ["permissions: { read: { 'docs/*': deny } }", ["src/a.ts", "src/secret.ts"]],
  ["groups: [[read, { fileRegex: '^src/' }], orchestrate]", ["src/a.ts", "src/secret.ts"]],
  ["allowedFilePaths: ['^src/']\ndisallowedFilePaths: ['secret']", ["src/a.ts"]],
])("explore reads no file that its parent cannot read (%s)", async (limits, readable) => {
  const files = ["src/a.ts", "src/secret.ts", "docs/a.md"];
  const { daemon, session } = await delegating({
    parent: [{ calls: [explore()] }],
    child: [{ calls: files.map(read) }, done],
    config: everything,
    modes: { code: parentMode(limits) },
  });
  await using _ = daemon;
  await session.untilEnd();
  using child = daemon.attach(`${session.id}.s1.1`);
  await child.untilEnd();
  expect(files.filter((_file, i) => child.finished[i]?.result.outcome === "ok")).toEqual(readable);
});

test("a definition of the user that gives explore more groups gets only those of its parent", async () => {
  const wide = "---\nname: Explore\nkind: subagent\ndescription: x\ngroups: [read, edit, command, browser]\n---\nYou do all.\n";
  for (const [slug, groups, outcome] of [
    ["reader", "read, orchestrate", "failed"],
    ["writer", "read, edit, orchestrate", "ok"],
  ] as const) {
    const { daemon, session } = await delegating({
      mode: slug,
      parent: [{ calls: [explore()] }],
      child: [{ calls: [call("write_file", { path: "new.txt", content: "x" })] }, done],
      config: everything,
      modes: { explore: wide, [slug]: `---\nname: Own\ndescription: x\ngroups: [${groups}]\n---\nYou work.\n` },
    });
    await using _ = daemon;
    await session.untilEnd();
    using child = daemon.attach(`${session.id}.s1.1`);
    await child.untilEnd();
    expect([slug, child.finished[0]?.result.outcome === "ok", daemon.read("new.txt")]).toEqual([
      slug,
      outcome === "ok",
      outcome === "ok" ? "x" : "",
    ]);
  }
});

test("explore has its own limit of steps, and at most the rest of its parent's", async () => {
  for (const [limits, steps, counted] of [
    [{}, 40, 30],
    [{ limits: { steps: 10 } }, 40, 9],
  ] as const) {
    const { daemon, session } = await delegating({
      parent: [{ calls: [explore()] }],
      child: [...Array.from({ length: steps }, (_, i) => ({ calls: [call("list_files", { path: i % 2 === 0 ? "src" : "docs" })] })), done],
      config: { ...everything, ...limits },
    });
    await using _ = daemon;
    await session.until("the subtask", ({ events }) => events.some(({ type }) => type === "tool.started"));
    using child = daemon.attach(`${session.id}.s1.1`);
    await child.until("its limit", ({ state }) => openRequests(state).some(({ subject }) => "turn" in subject));
    expect(child.state.counts.steps).toBe(counted);
    await child.answer({ choice: "stop" });
    await session.untilEnd();
    expect(session.finished[0]?.result.text).toContain("stopped at its limit");
  }
});

test.each(["ask", "plan"])("nothing below %s changes files, also if it runs below an explore with limits", async (middle) => {
  const task = (mode: string) => call("new_task", { mode, message: `work in ${mode}` });
  const changing = [call("write_file", { path: "a.txt", content: "x" }), call("run_command", { command: "touch b.txt" })];
  await using daemon = await TestDaemon.start({
    config: (root) => ({
      ...everything,
      modes: {
        docs: { model: script({ root }, [{ calls: [task("explore")] }, { text: "Done." }]) },
        explore: { model: script({ root }, [{ calls: [task(middle)] }, done]) },
        [middle]: { model: script({ root }, [{ calls: [task("code")] }, done]) },
        code: { model: script({ root }, [{ calls: changing }, done]) },
      },
    }),
  });
  mkdirSync(path.join(daemon.home, "modes"), { recursive: true });
  for (const [slug, limits] of [
    ["docs", "disallowedFilePaths: ['secret']"],
    ["explore", ""],
    [middle, ""],
  ])
    writeFileSync(
      path.join(daemon.home, "modes", `${slug}.md`),
      `---\nname: ${slug}\ndescription: x\ngroups: [read, orchestrate]\n${limits}\n---\nYou work.\n`,
    );
  const session = await daemon.session({ mode: "docs" });
  await session.runTurn("go");
  using lowest = daemon.attach(`${session.id}.s1.1.s1.1.s1.1`);
  await lowest.untilEnd();
  expect(lowest.finished.map(({ result }) => result.outcome).slice(0, 2)).not.toContain("ok");
  expect(lowest.finished).toHaveLength(3);
  expect([daemon.read("a.txt"), daemon.read("b.txt")]).toEqual(["", ""]);
});
