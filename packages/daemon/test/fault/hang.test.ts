import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const fixture = fileURLToPath(new URL("../support/mcp/mcp-server.ts", import.meta.url));

/** A server that does not answer while such a file exists. */
const hanging = (file: string) => ({
  command: process.execPath,
  args: [
    "-e",
    `require("node:fs").existsSync(${JSON.stringify(file)}) ? process.stdin.resume() : import(${JSON.stringify(fixture)})`,
    "x",
    "good",
  ],
});

const server = (root: string) => ({ mcpServers: { good: hanging(path.join(root, "hang")) } });
const run = (command: string) => ({ tool: "run_command", input: { command } });

test.each(["answer", "interrupt"])("an %s does not wait for a server that hangs", async (wish) => {
  await using daemon = await TestDaemon.start({ config: server });
  const { api } = daemon.connect();
  await api.mcp.test.mutate({ cwd: daemon.workspace, name: "good" });
  const session = await daemon.session({
    model: script(daemon, [{ calls: [{ tool: "good__say", input: { text: "x" } }, run("echo one")] }, { text: "done" }]),
  });
  await session.prompt("go");
  await session.untilOpen(2);
  const [ofServer, ofCommand] = openRequests(session.state);
  await daemon.kill();
  writeFileSync(path.join(daemon.root, "hang"), "");
  await daemon.start();

  const elsewhere = path.join(daemon.root, "elsewhere");
  mkdirSync(elsewhere);
  const model = script(daemon, [{ text: "done" }]);
  const { id } = await daemon.connect().api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: elsewhere, model });
  const other = daemon.attach(id);
  await other.prompt("wait for the server, as long as anybody waits for one");
  await session.answer({ choice: "once" }, ofServer?.id);
  if (wish === "answer") await session.answer({ choice: "once" }, ofCommand?.id);
  else await session.wish({ type: "interrupt" });
  expect(other.events.map(({ type }) => type)).not.toContain("turn.ended");
  rmSync(path.join(daemon.root, "hang"));
});
