import { afterAll, expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { anthropic } from "../support/wire/anthropic.ts";
import { WireServer } from "../support/wire/server.ts";

const cost = { input: 10_000, output: 100_000 };
const DIFF = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n";
const SECRET = "diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-KEY=old\n+KEY=canary\n";

const server = await WireServer.start(anthropic, { replies: [] });
afterAll(() => server[Symbol.asyncDispose]());

const start = (more: object = {}) =>
  TestDaemon.start({
    config: { model: "p/m", providers: { p: { ...server.provider, apiKey: "k", models: { m: { cost }, small: { cost } } } }, ...more },
  });

test("a commit message comes from the small model, without files that may contain keys, and its cost counts in the session", async () => {
  await using daemon = await start({ smallModel: "p/small" });
  const { api } = daemon.connect();
  using session = await daemon.session();
  server.begin({ replies: [{ text: '"Make a two"\n' }] });
  const written = await api.workspace.commitMessage.mutate({
    cwd: daemon.workspace,
    diff: SECRET + DIFF,
    recent: ["Make a one", "Add a.ts"],
    sessionId: session.id,
  });
  expect(written).toEqual({ message: "Make a two", leftOut: [".env"] });
  const sent = JSON.stringify(server.seen[0]?.body);
  expect(sent).toContain("small");
  expect(sent).toContain("- Make a one");
  expect(sent).toContain("const a = 2;");
  expect(sent).not.toContain("canary");
  await session.until("the cost", ({ state }) => state.usage.cost > 0);
});

test("a message without a session counts for the day, and a reached limit or an empty diff is refused before the model is called", async () => {
  await using daemon = await start({ limits: { costPerDay: 0.5 } });
  const { api } = daemon.connect();
  server.begin({ replies: [{ text: "Make a two" }] });
  const write = (diff: string) => api.workspace.commitMessage.mutate({ cwd: daemon.workspace, diff }).catch(refusalOf);
  expect(await write(SECRET)).toMatchObject({ code: "nothing_to_commit" });
  expect(await write("")).toMatchObject({ code: "nothing_to_commit" });
  expect(server.seen).toHaveLength(0);
  expect(await write(DIFF)).toEqual({ message: "Make a two", leftOut: [] });
  expect(await write(DIFF)).toMatchObject({ code: "limit_reached" });
  expect(server.seen).toHaveLength(1);
});
