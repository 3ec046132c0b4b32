import { sumBySource } from "@baton/core/session/context/context-sources";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

test("a session lists the content of its context by source", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("AGENTS.md", "Use tabs. ".repeat(40));
  daemon.write("long.txt", "A line of text.\n".repeat(200));
  const session = await daemon.session({
    model: script(daemon, [
      {
        calls: [
          { tool: "read_file", input: { path: "long.txt" } },
          { tool: "list_files", input: {} },
        ],
      },
      { text: "It has 200 lines." },
    ]),
  });
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const before = await api.session.context.query({ sessionId: session.id });
  expect(sumBySource(before.items).map(({ source }) => source)).toEqual(["prompt", "instructions", "tools"]);
  await session.runTurn("How long is it?");
  const after = await api.session.context.query({ sessionId: session.id });
  expect(sumBySource(after.items).map(({ source }) => source)).toEqual(["prompt", "instructions", "tools", "messages", "files", "results"]);
  const sizeOf = (name: string) => after.items.find((item) => item.name === name)?.tokens ?? 0;
  expect(sizeOf("AGENTS.md")).toBeGreaterThan(100);
  expect(sizeOf("long.txt")).toBeGreaterThan(800);
  expect(sizeOf("list_files")).toBeGreaterThan(10);
  expect(after.tokens).toBe(after.items.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(after.tokens).toBeGreaterThan(before.tokens + 800);
});
