import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const ask = {
  calls: [{ tool: "ask_followup_question", input: { question: "Which?", follow_up: [{ text: "this" }, { text: "that" }] } }],
};
const approve = { calls: [{ tool: "run_command", input: { command: "touch a" } }] };

test("a question gets its first suggestion as the answer after the time in the settings, and an approval never does", async () => {
  await using daemon = await TestDaemon.start({ config: { autoAnswer: 0.2 } });
  const session = await daemon.session({ model: script(daemon, [ask, approve, { text: "Done." }]) });
  await session.prompt("go");
  await session.until("the approval", ({ state }) => state.calls.some(({ tool, phase }) => tool === "run_command" && phase === "waiting"));
  const answers = session.events.flatMap((event) => (event.type === "request.answered" ? [event] : []));
  expect(answers).toMatchObject([{ answer: { choice: "1" }, by: { daemon: true } }]);
  await new Promise((rest) => setTimeout(rest, 600));
  expect(session.state.calls[0]?.phase).toBe("waiting");
});

test("a time that the user removes before it elapses answers nothing", async () => {
  await using daemon = await TestDaemon.start({ config: { autoAnswer: 1.5 } });
  const session = await daemon.session({ model: script(daemon, [ask, { text: "Done." }]) });
  await session.prompt("go");
  await session.untilOpen();
  writeFileSync(path.join(daemon.home, "config.jsonc"), "{}");
  await new Promise((rest) => setTimeout(rest, 2_500));
  expect(session.state.calls[0]?.phase).toBe("waiting");
});
