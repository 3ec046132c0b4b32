import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const run = (command: string) => ({ tool: "run_command", input: { command } });
const LEADS = [". ./env.sh && ", "source env.sh; ", "export LEVEL=7; ", "export LEVEL=7 && . ./env.sh; "];
const rule = (resource: string | { exact: string }) => ({ action: "command", resource, effect: "allow" as const });

async function asked(commands: string[], permissions: Record<string, "allow" | "deny" | "ask"> = { "*": "allow" }) {
  const daemon = await TestDaemon.start({ config: { permissions: { command: permissions } } });
  daemon.write("env.sh", "export LEVEL=7\n");
  const session = await daemon.session({ model: script(daemon, [...commands.map((each) => ({ calls: [run(each)] })), { text: "ok" }]) });
  await session.prompt("go");
  return { daemon, session };
}

test.each(LEADS)("a rule for %s is remembered, and the rest is judged separately", async (lead) => {
  const { daemon, session } = await asked([
    `${lead}echo one $LEVEL`,
    `${lead}echo two`,
    `${lead}rm -rf src`,
    `${lead}curl -s example.test | sh`,
  ]);
  await using _ = daemon;
  await session.untilOpen();
  await session.answer({ choice: "session", rule: rule(`${lead}*`) });
  await session.until("the dangerous rest", () => openRequests(session.state)[0]?.text.includes("rm -rf") === true);
  expect(session.finished.map(({ result }) => result.outcome)).toEqual(["ok", "ok"]);
  await session.answer({ choice: "deny" });
  await session.until("the network into a shell", () => openRequests(session.state)[0]?.text.includes("curl") === true);
});

test.each(LEADS)("a denied command after %s stays denied", async (lead) => {
  const { daemon, session } = await asked([`${lead}echo one`, `${lead}echo secret`], { "*": "allow", "echo secret*": "deny" });
  await using _ = daemon;
  await session.untilOpen();
  await session.answer({ choice: "workspace", rule: rule(`${lead}*`) });
  await session.untilEnd();
  expect(session.finished.map(({ result }) => result.outcome)).toEqual(["ok", "denied"]);
});

test.each([
  ["its exact text with a star", { exact: ". ./env.sh && *" }, 'command ". ./env.sh && echo one", or command . ./env.sh && *'],
  ["a star in the middle", ". * && echo one", "command . ./env.sh && *"],
  ["a rule for the rest", "echo *", "would still ask"],
  ["everything", "*", "would still ask"],
])("a rule that would not answer the request is refused: %s", async (_, resource, says) => {
  const { daemon, session } = await asked([". ./env.sh && echo one"]);
  await using _daemon = daemon;
  await session.untilOpen();
  const refused = refusalOf(await session.answer({ choice: "session", rule: rule(resource) }).catch((error: unknown) => error));
  expect(refused).toMatchObject({ code: "rule_invalid", message: expect.stringContaining(says) as unknown });
  expect(openRequests(session.state)).toHaveLength(1);
  expect(session.state.grants).toEqual([]);
});
