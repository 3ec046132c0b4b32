import { expect, test } from "vitest";
import type { Api } from "../../src/client/index.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const run = (command: string) => ({ tool: "run_command", input: { command } });
const permissions = { command: { "*": "ask", "echo fine": "allow", "echo never": "deny" } };

type Input = Parameters<Api["permission"]["audit"]["query"]>[0];

/** Every page of the audit. */
async function readAudit(api: Api, input: Input = {}) {
  const rows = [];
  for (let after: Input["after"]; ;) {
    const page = await api.permission.audit.query({ ...input, ...(after ? { after } : {}) });
    rows.push(...page.rows);
    if (!page.next) return rows;
    after = page.next;
  }
}

test("the audit lists each decision once, with its rule or its answer and the client", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions } });
  const steps = [
    { calls: [run("echo fine")] },
    { calls: [run("echo never")] },
    { calls: [run("echo once")] },
    { calls: [run("echo no")] },
    { calls: [run("make kept")] },
    { calls: [run("make kept")] },
    { text: "Done." },
  ];
  const session = await daemon.session({ model: script(daemon, steps) });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "once" });
  await session.until("the second question", ({ state }) => state.counts.opened === 2);
  await session.answer({ choice: "deny", note: "use the other" });
  await session.until("the third question", ({ state }) => state.counts.opened === 3);
  await session.answer({ choice: "workspace" });
  await session.untilEnd();

  const { api } = daemon.connect();
  const rows = await readAudit(api, { sessionId: session.id });
  expect(rows.map(({ decision, by, tool, what, why }) => [decision, by === "rule" ? by : "client", tool, what, why])).toEqual([
    ["allowed", "rule", "run_command", "command echo fine", expect.stringMatching(/^allow command echo fine \(config\.jsonc:\d+\)$/)],
    ["denied", "rule", "run_command", "echo never", expect.stringMatching(/^denied: command echo never \(user, config\.jsonc:\d+\)$/)],
    ["allowed", "client", "run_command", "command echo once", "Allow once"],
    [
      "denied",
      "client",
      "run_command",
      "command echo no",
      expect.stringMatching(/^Deny: use the other \(asked by ask command \* \(config\.jsonc:\d+\)\)$/),
    ],
    ["allowed", "client", "run_command", "command make kept", "This workspace"],
    ["allowed", "rule", "run_command", "command make kept", expect.stringMatching(/^allow command make kept.* \(grant of /)],
  ]);
  const answers = session.events.flatMap((event) => (event.type === "request.answered" && "person" in event.by ? [event.by.person] : []));
  expect(rows.flatMap(({ by }) => (by === "rule" ? [] : [by]))).toEqual(answers);
  expect(rows.every(({ seq, at }) => session.events.some((event) => event.seq === seq && event.at === at))).toBe(true);

  const [grant] = await api.permission.grants.query({ cwd: daemon.workspace });
  await api.permission.revoke.mutate({ cwd: daemon.workspace, grantId: grant?.id ?? "", commandId: crypto.randomUUID() });
  const ofFolder = (await readAudit(api)).filter(({ sessionId }) => sessionId === "");
  expect(ofFolder.map(({ decision, workspace, what }) => [decision, workspace, what])).toEqual([
    ["granted", daemon.workspace, expect.stringMatching(/^command make kept/)],
    ["revoked", daemon.workspace, expect.stringMatching(/^command make kept/)],
  ]);
  expect(await readAudit(api, { workspace: "/elsewhere" })).toEqual([]);
  expect(await readAudit(api, { until: session.events[0]?.at ?? 0 })).toEqual([]);
  expect((await readAudit(api, { since: rows[4]?.at ?? 0, sessionId: session.id })).map(({ what }) => what)).toEqual([
    "command make kept",
    "command make kept",
  ]);
});

test("many sessions are listed in pages, each of them once and in order", { timeout: 120_000 }, async () => {
  await using daemon = await TestDaemon.start({ config: { permissions } });
  const session = await daemon.session({ model: script(daemon, [{ calls: [run("echo fine")] }, { text: "Done." }]) });
  await session.runTurn("go");
  const { api } = daemon.connect();
  const ids = [session.id as string];
  for (let i = 0; i < 220; i++) ids.push((await api.session.fork.mutate({ sessionId: session.id, commandId: crypto.randomUUID() })).id);
  const first = await api.permission.audit.query({});
  expect(first.next).toBeDefined();
  const rows = await readAudit(api);
  expect(rows.map(({ sessionId }) => sessionId).toSorted()).toEqual(ids.toSorted());
});
