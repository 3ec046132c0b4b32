import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";
import { script } from "../support/script.ts";

const PATCH = "*** Begin Patch\n*** Update File: a.txt\n@@\n-\ttwo\n+\t2\n*** End Patch";
const call = (tool: string, input: object) => ({ tool, input });

test("an approval shows the change that Baton understood, and the model learns which parts had no effect", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("a.txt", "one\n\ttwo\n\tthree\n");
  const edit = call("Edit", { file_path: "./a.txt", old_string: "2\t    two\n3\t    three", new_string: "2\t    2\n3\t    three" });
  const session = await daemon.session({ model: script(daemon, [{ calls: [edit] }, { text: "ok" }]) });
  await session.prompt("go");
  await session.untilOpen();
  const [request] = openRequests(session.state);
  expect([request?.tool, request?.header]).toEqual(["edit_file", "Change this file?"]);
  expect(request?.view).toMatchObject({ type: "diff", path: "a.txt", hunks: [{ lines: [" one", "-\ttwo", "+\t2", " \tthree"] }] });
  await session.answer({ choice: "once", ...(request?.hash === undefined ? {} : { hash: request.hash }) });
  await session.untilEnd();
  expect(daemon.read("a.txt")).toBe("one\n\t2\n\tthree\n");
  expect(session.finished[0]?.result.text).toContain("Baton ignored differences in line numbers and indentation.");
  expect(session.finished[0]?.result.text).toContain("-\ttwo\n+\t2");
});

test("a call under another name is judged as the tool that it becomes", async () => {
  await using daemon = await TestDaemon.start({ config: { coordination: "off", permissions: { command: "allow", edit: "deny" } } });
  daemon.write("a.txt", "one\n\ttwo\n");
  const calls = [
    call("shell", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${PATCH}\nEOF`] }),
    call("container.exec", { cmd: ["apply_patch", PATCH] }),
    call("str_replace_editor", { command: "create", path: "b.txt", file_text: "b" }),
    call("Bash", { command: "echo fine", description: "Say it" }),
  ];
  const session = await daemon.session({ model: script(daemon, [{ calls }, { text: "ok" }]) });
  await session.runTurn("go");
  const allowed = session.finished.filter(({ result }) => result.outcome === "ok");
  expect(allowed.map(({ result }) => result.text)).toEqual([expect.stringContaining("fine")]);
  expect(session.finished).toHaveLength(4);
  expect(daemon.read("a.txt")).toBe("one\n\ttwo\n");
});

test("a mode without a tool refuses it under every name", async () => {
  await using daemon = await TestDaemon.start({ config: { coordination: "off", permissions: { "*": "allow" } } });
  daemon.write("a.txt", "one\n\ttwo\n");
  const calls = [
    call("Bash", { command: "touch b.txt" }),
    call("functions.apply_patch", { input: PATCH }),
    call("Write", { file_path: "c.txt", content: "c" }),
  ];
  const session = await daemon.session({ mode: "ask", model: script(daemon, [{ calls }, { text: "ok" }]) });
  await session.runTurn("go");
  const texts = session.finished.map(({ result }) => [
    result.outcome,
    /^The tool (\w+) is not available in mode ask/.exec(result.text)?.[1],
  ]);
  expect(texts).toEqual([
    ["failed", "run_command"],
    ["failed", "apply_patch"],
    ["failed", "write_file"],
  ]);
  expect(daemon.read("a.txt")).toBe("one\n\ttwo\n");
});

test("the system prompt contains the start time of the session, the same in every step", async () => {
  await using model = await ModelServer.start({ replies: [{ calls: [call("LS", {})] }, { text: "ok" }] });
  await using daemon = await TestDaemon.start({
    config: model.config,
  });
  const session = await daemon.session();
  await session.runTurn("go");
  const prompts = model.requests.flatMap(({ messages }) => (messages[0]?.role === "system" ? [JSON.stringify(messages[0].content)] : []));
  expect(new Set(prompts.slice(-2)).size).toBe(1);
  expect(prompts.at(-1)).toContain(`This conversation started on ${session.state.surroundings?.date ?? "no date"}.`);
  expect(session.events.filter((event) => "surroundings" in event)).toHaveLength(1);
});
