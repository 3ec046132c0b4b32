import { ModelServer } from "../../daemon/test/support/model-server.ts";
import { script } from "../../daemon/test/support/script.ts";
import type { Row } from "../../daemon/bench/table.ts";
import { leavePrompt } from "../test/support/browser.ts";
import { heap, tasksWhile } from "../test/support/cost.ts";
import { Opened } from "../test/support/opened.ts";

const call = (tool: string, input: unknown) => ({ tool, input });

/** Measures how long the page blocks at a time while 5,000 pieces per second stream in for four seconds. */
export async function longTasks(): Promise<Row> {
  await using model = await ModelServer.start({ replies: [{ stamps: { count: 400, everyMs: 10, atOnce: 50 } }] });
  await using opened = await Opened.start({
    config: model.config,
  });
  const session = await opened.daemon.session();
  const page = await opened.session(session.id);
  await page.getByRole("heading", { name: "What should Baton work on?" }).waitFor();
  const tasks = await tasksWhile(page, async () => {
    await session.runTurn("go");
  });
  return { what: "longest tasks of the page, 5,000 pieces a second", unit: "ms", values: tasks.slice(0, 20), budget: "50 ms" };
}

/** With fifty open requests, answers one of them by its digit. Measures how long the page blocks, and the number of keys. */
export async function answering(): Promise<Row[]> {
  await using opened = await Opened.start();
  const commands = Array.from({ length: 50 }, (_, i) => call("run_command", { command: `touch file-${i}` }));
  const session = await opened.daemon.session({ model: script(opened.daemon, [{ calls: commands }, { text: "Done." }]) });
  await session.prompt("go");
  await session.untilOpen(50);
  const page = await opened.session(session.id);
  await page.getByText("50 need you here").waitFor();
  await leavePrompt(page);
  await page.evaluate(() => {
    document.body.dataset["keys"] = "0";
    const count = () => (document.body.dataset["keys"] = String(Number(document.body.dataset["keys"]) + 1));
    addEventListener("keydown", count, { capture: true });
  });
  const tasks = await tasksWhile(page, async () => {
    await page.keyboard.press("1");
    await page.getByText("49 need you here").waitFor();
  });
  const keys = Number(await page.evaluate(() => document.body.dataset["keys"]));
  return [
    { what: "keys that the page got until a request was answered", unit: "keys", values: [keys], budget: "1" },
    { what: "longest tasks, one of 50 requests answered", unit: "ms", values: tasks.slice(0, 5), budget: "50 ms" },
  ];
}

/** Measures the memory that the page uses for ten thousand events. */
export async function memory(): Promise<Row> {
  await using opened = await Opened.start();
  opened.daemon.write("a.txt", "a line\n".repeat(2_000));
  const replies = Array.from({ length: 2_000 }, (_, i) => ({
    text: "A short answer, `and code`.",
    calls: [call("read_file", { path: "a.txt", start_line: i + 1, end_line: i + 1 })],
  }));
  const session = await opened.daemon.session({ model: script(opened.daemon, [...replies, { text: "All over." }]) });
  const page = await opened.session(session.id);
  await session.wish({ type: "prompt", promptId: crypto.randomUUID(), text: "go", delivery: "queue", stepLimit: 5_000 });
  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.locator(".call").first().waitFor();
  const early = await heap(page);
  await transcript.getByText("All over.").waitFor({ timeout: 120_000 });
  return { what: "memory of the page, growth over 10,000 events", unit: "MiB", values: [(await heap(page)) - early], budget: "15 MiB" };
}
