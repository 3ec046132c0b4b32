import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/scripts.md", import.meta.url)), "utf8");
const [, asking = ""] = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, text = ""]) => text);

test("the script of docs/scripts.md that asks opens a request for each call, and reports its usage", async () => {
  await using daemon = await TestDaemon.start();
  using session = await daemon.session({ model: `scripted/${daemon.write("asking.json", asking)}` });
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  await session.prompt("go");
  const asked = [];
  for (let i = 0; i < 2; i++) {
    await session.untilOpen();
    asked.push(openRequests(session.state)[0]?.tool);
    await session.answer({ choice: i === 0 ? "once" : "deny" });
  }
  await expect.poll(() => session.state.turn).toBeUndefined();
  expect(asked).toEqual(["write_file", "run_command"]);
  expect(daemon.read("new.txt")).toBe("new");
  expect(session.state.usage).toMatchObject({ input: 1_200, cachedInput: 800, cacheWrite: 100, output: 40 });
});
