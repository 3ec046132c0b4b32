import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const fixture = fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url));
const good = { command: process.execPath, args: [fixture, "good"] };
const call = (tool: string, input: unknown = {}) => ({ calls: [{ tool, input }] });

const answers = (session: TestSession): Record<string, unknown>[] =>
  session.finished.flatMap(({ result }) => (result.text.startsWith("{") ? [JSON.parse(result.text) as Record<string, unknown>] : []));

const modes = (session: TestSession): string[] =>
  session.events.flatMap((event) => (event.type === "mode.changed" ? [`${event.from} ${event.to} ${event.origin}`] : []));

test("the agent enters configuration with permission, builds and equips a toolset, and returns to its mode with it", async () => {
  await using daemon = await TestDaemon.start({
    config: { mcpServers: { good }, permissions: [{ action: "mcp", resource: "*", effect: "allow" }] },
  });
  const model = script(daemon, [
    call("enter-configuration-mode"),
    call("list-available-tools", { detail: "names" }),
    call("build-toolset", { name: "talk", tools: [{ namespacedName: "good__say" }] }),
    call("equip-toolset", { name: "talk" }),
    {
      calls: [
        { tool: "good__say", input: { text: "equipped" } },
        { tool: "good__environment", input: {} },
      ],
    },
    call("exit-configuration-mode"),
    { text: "Done." },
  ]);
  const session = await daemon.session({ model });
  await session.prompt("choose tools");
  expect(await session.untilOpen()).toMatchObject({ kind: "question", tool: "enter-configuration-mode" });
  await session.answer({ choice: "accept" });
  await session.until("the build", ({ state }) => state.calls.some(({ tool, phase }) => tool === "build-toolset" && phase === "waiting"));
  await session.answer({ choice: "once" });
  await session.until("the equipping", ({ state }) =>
    state.calls.some(({ tool, phase }) => tool === "equip-toolset" && phase === "waiting"),
  );
  const equip = await session.untilOpen();
  expect(JSON.stringify(equip.view)).toMatch(/\+ good__say.*- good__die/);
  expect(JSON.stringify(equip.view)).not.toContain("- good__say");
  await session.answer({ choice: "once" });
  await session.untilEnd();

  expect(modes(session)).toEqual(["code configuration configuration", "configuration code equip"]);
  const [entered, listed, built, equipped, exited] = answers(session);
  expect(entered).toMatchObject({ ok: true, mode: "configuration", changed: true, toolset: null });
  expect(JSON.stringify(listed)).toContain("good__die");
  expect(built).toMatchObject({ ok: true, mode: "configuration", equipped: false });
  expect(equipped).toMatchObject({ ok: true, mode: "normal", changed: true, availableTools: ["good__say", "enter-configuration-mode"] });
  expect(exited).toMatchObject({ ok: true, changed: false, mode: "normal" });
  expect(Number(equipped?.["revision"])).toBeGreaterThan(Number(built?.["revision"]));
  const texts = session.finished.map(({ result }) => result.text);
  expect(texts.some((text) => text.includes("equipped"))).toBe(true);
  expect(texts.some((text) => text.includes("There is no tool good__environment"))).toBe(true);

  await daemon.kill();
  await daemon.start();
  const again = daemon.attach(session.id);
  await again.until("the state", ({ state }) => state.created);
  expect(again.state.toolset?.equipped).toMatchObject({ name: "talk", tools: [{ name: "good__say" }] });
});

test("entering configuration can be refused like any other change of mode, and a rule of the user can allow it without a request", async () => {
  await using daemon = await TestDaemon.start({ config: { mcpServers: { good } } });
  const model = script(daemon, [call("enter-configuration-mode"), { text: "Then not." }]);
  const session = await daemon.session({ model });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "stay", note: "not now" });
  await session.untilEnd();
  expect(modes(session)).toEqual([]);

  await using other = await TestDaemon.start({
    config: { permissions: [{ action: "configure", resource: "enter-configuration-mode", effect: "allow" }] },
  });
  const unasked = await other.session({
    model: script(other, [call("enter-configuration-mode"), call("exit-configuration-mode"), { text: "Done." }]),
  });
  await unasked.runTurn("go");
  expect(modes(unasked)).toEqual(["code configuration configuration", "configuration code configuration"]);
  expect(answers(unasked)[1]).toMatchObject({ ok: true, mode: "normal" });
});

test("a rule that denies configuring removes the tool that enters it, and each of the ten tools appears in its modes", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: [{ action: "configure", resource: "*", effect: "deny" }] } });
  const { api } = daemon.connect();
  const names = async (of: TestDaemon, mode: string) =>
    (await of.connect().api.daemon.tools.query({ cwd: of.workspace, mode })).offered
      .map(({ name }) => name)
      .filter((name) => name.includes("-"));
  expect(await names(daemon, "code")).toEqual([]);
  expect(
    (await api.daemon.tools.query({ cwd: daemon.workspace, mode: "code" })).withheld.find(({ name }) => name === "enter-configuration-mode")
      ?.reason,
  ).toContain("config.jsonc");
  await using plain = await TestDaemon.start();
  expect(await names(plain, "code")).toEqual(["enter-configuration-mode"]);
  expect(await names(plain, "orchestrator")).toEqual([]);
  expect((await names(plain, "configuration")).toSorted()).toEqual(
    [
      "add-tool-annotation",
      "build-toolset",
      "delete-toolset",
      "equip-toolset",
      "exit-configuration-mode",
      "get-active-toolset",
      "list-available-tools",
      "list-saved-toolsets",
      "unequip-toolset",
    ].toSorted(),
  );
});

test("a mode's toolset applies to its sessions until a session gets its own, and a deleted toolset leaves none", async () => {
  await using daemon = await TestDaemon.start({
    config: { mcpServers: { good }, permissions: [{ action: "mcp", resource: "*", effect: "allow" }] },
  });
  const { api } = daemon.connect();
  const cwd = daemon.workspace;
  const act = (tool: "build-toolset" | "delete-toolset", input: object) => api.toolset.act.mutate({ cwd, tool, input });
  for (const [name, tool] of [
    ["talk", "good__say"],
    ["look", "good__environment"],
  ])
    expect(await act("build-toolset", { name, tools: [{ namespacedName: tool }] })).toMatchObject({ ok: true });
  const offered = async (mode: string) =>
    (await api.daemon.tools.query({ cwd, mode })).offered.map(({ name }) => name).filter((name) => name.startsWith("good__"));
  const all = await offered("debug");
  expect(await api.toolset.equipMode.mutate({ cwd, mode: "debug", name: "talk" })).toEqual({ ok: true, mode: "debug", toolset: "talk" });
  expect([await offered("debug"), await offered("code")]).toEqual([["good__say"], all]);

  const both = { calls: [...call("good__say", { text: "said" }).calls, ...call("good__environment").calls] };
  const session = await daemon.session({
    mode: "debug",
    model: script(daemon, [both, { text: "One." }, both, { text: "Two." }, both, { text: "Three." }]),
  });
  const outcomes = () => session.finished.slice(-2).map(({ result }) => result.outcome);
  await session.runTurn("go");
  expect(outcomes()).toEqual(["ok", "failed"]);
  await api.toolset.equip.mutate({ sessionId: session.id, name: "look" });
  await session.runTurn("go", 2);
  expect(outcomes()).toEqual(["failed", "ok"]);
  await api.toolset.equip.mutate({ sessionId: session.id, name: null });
  await session.runTurn("go", 3);
  expect(outcomes()).toEqual(["ok", "failed"]);

  expect(await api.toolset.equipMode.mutate({ cwd, mode: "debug", name: "tall" })).toMatchObject({
    ok: false,
    code: "not_found",
    suggestions: ["talk"],
  });
  expect(await api.toolset.modes.query()).toEqual([{ mode: "debug", toolset: "talk" }]);
  await act("delete-toolset", { name: "talk", confirm: true });
  expect(await offered("debug")).toEqual([]);
  await api.toolset.equipMode.mutate({ cwd, mode: "debug", name: null });
  expect([await offered("debug"), await api.toolset.modes.query()]).toEqual([all, []]);
});
