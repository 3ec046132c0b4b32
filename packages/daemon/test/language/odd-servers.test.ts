import { fileURLToPath } from "node:url";
import type { SessionEvent } from "@baton/core/protocol/event";
import { expect, test } from "vitest";
import { diagnosticsOf, languageProject } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const program = fileURLToPath(new URL("../support/language/odd-language-server.ts", import.meta.url));
const write = (content: string) => ({ calls: [{ tool: "write_file", input: { path: "a.odd", content } }] });
const found = (session: TestSession) => diagnosticsOf(session).flatMap(({ view }) => (view.type === "files" ? view.files : []));

const project = (manner: string, waitMs: number) =>
  languageProject({
    config: {
      lsp: { odd: { command: [process.execPath, program, manner], extensions: [".odd"] } },
      checks: { waitMs },
      permissions: { edit: "allow", command: "allow" },
    },
    files: { "a.odd": "good\nbad\n" },
  });

test("text between the messages of a server changes nothing", async () => {
  await using daemon = await project("noisy", 30_000);
  const session = await daemon.session({ model: script(daemon, [write("new\ngood\nbad\nbad too\n"), { text: "Done." }]) });
  await session.runTurn("go");
  expect(found(session)).toEqual([{ path: "a.odd", line: 4, note: "This is bad." }]);
});

test("errors that arrive too late for their edit become a message for the next step", async () => {
  await using daemon = await project("slow", 100);
  const waits = { calls: [{ tool: "run_command", input: { command: "while [ ! -e go ]; do sleep 0.1; done" } }] };
  const session = await daemon.session({ model: script(daemon, [write("good\nbad\nbad too\n"), waits, { text: "Fixed." }]) });
  await session.prompt("go");
  const isLate = (event: SessionEvent) => event.type === "prompt.received" && event.synthetic === "diagnostics";
  await session.until("the late errors", ({ events }) => events.some(isLate));
  daemon.write("go", "");
  await session.untilEnd();
  expect(found(session)).toEqual([]);
  const late = session.events.flatMap((event) => (event.type === "prompt.received" && event.synthetic === "diagnostics" ? event.text : []));
  expect(late).toEqual(["Your earlier edit caused 1 new error:\na.odd:3:1: This is bad.\nFix them before you finish."]);
});

test.each(["hang", "flood", "crash"])(
  "a server that misbehaves (%s) delays an edit at most by the configured time, and causes no failure",
  async (manner) => {
    await using daemon = await project(manner, 700);
    const edits = [write("bad\nbad\n"), write("good\n")];
    const session = await daemon.session({ model: script(daemon, [...edits, { text: "Done." }]) });
    const began = performance.now();
    await session.runTurn("go");
    expect(performance.now() - began).toBeLessThan(6_000);
    expect(session.finished.map(({ result }) => result.outcome)).toEqual(["ok", "ok"]);
    expect([found(session), session.state.lastTurn?.reason, daemon.read("a.odd")]).toEqual([[], "completed", "good\n"]);
  },
);

test("no server starts in a folder that is not trusted", async () => {
  await using daemon = await project("", 30_000);
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: false });
  const session = await daemon.session({ model: script(daemon, [write("bad\nbad\n"), { text: "Done." }]) });
  await session.runTurn("go");
  expect(session.events.some(({ type }) => type === "diagnostics.reported")).toBe(false);
});
