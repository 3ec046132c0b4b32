import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openSettledHome } from "../support/home.ts";

const write = call("write_file", { path: "new.txt", content: "hi\n" });

test("a rule of --allow applies only in its session and within the limits of the mode", async () => {
  await using home = await openSettledHome();
  const made = () => existsSync(path.join(home.workspace, "new.txt"));
  const model = home.script({ calls: [write] }, { text: "Done." });
  expect((await home.run(["run", "go", "--model", model])).code).toBe(4);
  expect(made()).toBe(false);
  await home.run(["run", "go", "--model", model, "--mode", "plan", "--allow", "edit *"]);
  expect(made()).toBe(false); // the mode limits what a rule can allow
  expect((await home.run(["run", "go", "--model", model, "--allow", "edit *"])).code).toBe(0);
  expect(made()).toBe(true);
});

test("--allow with a text that is not a rule is a usage error, and starts no session", async () => {
  await using home = await openSettledHome();
  const { code, err } = await home.run(["run", "go", "--model", home.script({ text: "x" }), "--allow", "npm"]);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('--allow "npm" is not a rule') as string });
  const typo = await home.run(["run", "go", "--model", home.script({ text: "x" }), "--allow", "comand npm test"]);
  expect({ code: typo.code, err: typo.err }).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean "command"?') as string });
  expect((await home.run(["sessions"])).out).toContain("No sessions yet");
});

test("--timeout prints the text that the agent has written until then", async () => {
  await using home = await openSettledHome();
  const text = "The first part is here. ".repeat(200);
  const model = home.script({ text, stream: { characters: 40, everyMs: 100 } });
  const plain = await home.run(["run", "go", "--model", model, "--timeout", "2s"]);
  expect(plain).toMatchObject({ code: 124, err: expect.stringContaining("stopped after 2.0 s (--timeout)") as string });
  expect(plain.out.trim().length).toBeGreaterThan(100);
  expect(text.startsWith(plain.out.trim())).toBe(true);
  const json = await home.run(["run", "go", "--model", model, "--timeout", "2s", "--json"]);
  const last = JSON.parse(json.out.trim().split("\n").at(-1) ?? "") as { status: string; text: string };
  expect(json.code).toBe(124);
  expect(last.status).toBe("stopped");
  expect(text.startsWith(last.text) && last.text.length > 100).toBe(true);
});

test("--timeout stops the turn, reports that, and leaves no process behind", async () => {
  await using home = await openSettledHome();
  const model = home.script({ calls: [call("run_command", { command: "sleep 61" })] }, { text: "Done." });
  const { code, err } = await home.run(["run", "go", "--model", model, "--allow", "command sleep *", "--timeout", "1s"]);
  expect({ code, err }).toMatchObject({ code: 124, err: expect.stringContaining("stopped after 1.0 s (--timeout)") as string });
});

test("Alt+E accepts edits from the first prompt on, and pressing it again restores the requests", async () => {
  await using home = await openSettledHome();
  const model = home.script(
    { calls: [write] },
    { text: "First." },
    { calls: [call("write_file", { path: "b.txt", content: "b\n" })] },
    { text: "Second." },
  );
  const terminal = home.terminal(["--model", model]);
  await terminal.until("Say what you want done");
  terminal.press("\u001be");
  await terminal.until("accepts edits");
  terminal.press("one\r");
  await terminal.until("First.");
  terminal.press("\u001be");
  terminal.press("two\r");
  await terminal.until("your answer");
  expect(existsSync(path.join(home.workspace, "b.txt"))).toBe(false);
});

test("/diff prints all changes of the session, /diff turn those of the last turn, and long diffs open in the pager", async () => {
  await using home = await openSettledHome();
  const second = call("write_file", { path: "b.txt", content: "beta\n".repeat(60) });
  const model = home.script({ calls: [write] }, { text: "First." }, { calls: [second] }, { text: "Second." });
  const PAGER = "echo In the pager:; cat";
  const terminal = home.terminal(["--model", model], 100, { PAGER });
  await terminal.until("Say what you want done");
  terminal.press("\u001be");
  terminal.press("one\r");
  await terminal.until("First.");
  terminal.press("/diff\r");
  await terminal.until("1 file changed");
  expect(terminal.text()).not.toContain("In the pager:");
  terminal.press("two\r");
  await terminal.until("Second.");
  terminal.press("/diff\r");
  await terminal.until("2 files changed");
  expect(terminal.text()).toContain("In the pager:");
  const again = home.terminal(["-c"], 100, { PAGER });
  await again.until("Second.");
  again.press("/diff turn\r");
  await again.until("1 file changed");
});

test("the user answers a request of `baton run` in its terminal", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["run", "go", "--model", home.script({ calls: [write] }, { text: "Done." })]);
  await terminal.until("answer>");
  await new Promise((done) => setTimeout(done, 600)); // an answer in the first moment counts as typed before the request appeared
  terminal.press("1\r");
  await terminal.until("Done.");
  expect(existsSync(path.join(home.workspace, "new.txt"))).toBe(true);
});

test("a long paste is one line in the prompt, short in the transcript, and sent in full", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "Read it." })]);
  await terminal.until("Say what you want done");
  const lines = Array.from({ length: 300 }, (_, i) => `pasted ${i}`);
  terminal.press(`\u001b[200~${lines.join("\n")}\u001b[201~`);
  await terminal.until("[Paste 1: 300 lines]");
  terminal.press("\r");
  await terminal.until("more lines, Ctrl+T shows all");
  await terminal.until("Read it.");
  const [{ id = "" } = {}] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id?: string }[];
  expect((await home.run(["export", id])).out).toContain("pasted 299");
});
