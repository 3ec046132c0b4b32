import { DatabaseSync } from "node:sqlite";
import path from "node:path";
import { requestIdOf, type CallId, type RequestId, type SessionId } from "@baton/core/protocol/ids";
import type { Request } from "@baton/core/protocol/request";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { script } from "../../daemon/test/support/script.ts";
import { chromiumPath, leavePrompt, untilQuiet } from "./support/browser.ts";
import { Opened } from "./support/opened.ts";
import { writeLog } from "./support/write-log.ts";

const here = { skip: chromiumPath === undefined };
const call = (tool: string, input: unknown) => ({ tool, input });
const said = (page: Page, text: string) => page.getByRole("region", { name: "Transcript" }).getByText(text);

const LONG_PLAN = `# The plan\n\n${Array.from({ length: 60 }, (_, i) => `${i + 1}. Step ${i + 1} of it, with \`some code\`.`).join("\n")}\n\nThe last line of the plan.`;

test(
  "a plan is shown whole with what each choice means; a digit counts once its choices are seen; then the mode changes",
  here,
  async () => {
    await using opened = await Opened.start();
    const session = await opened.daemon.session({ mode: "plan" });
    const file = `.baton/plans/${session.id}.md`;
    const model = script(opened.daemon, [
      { calls: [call("write_file", { path: file, content: LONG_PLAN })] },
      { calls: [call("exit_plan", {})] },
      { text: "Built." },
    ]);
    await session.prompt("plan it", { model });
    await session.untilOpen();
    await session.untilOpen();
    const page = await opened.session(session.id);
    const card = page.getByRole("region", { name: "Build this plan?" });
    await card.getByText("The last line of the plan.").waitFor();
    expect(await card.locator(".plan").evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(2);
    await card.getByRole("button", { name: "Start building Switches to" }).waitFor();
    await card.getByRole("button", { name: "Keep planning" }).waitFor();

    await leavePrompt(page);
    await page.keyboard.press("1");
    await page.getByText("Its choices were not in view, so nothing was answered.").waitFor();
    await untilQuiet(page);
    await page.keyboard.press("1");
    await said(page, "Built.").waitFor();
    await page.getByRole("note", { name: "Mode changed from plan to build" }).getByText("you, with exit_plan").waitFor();
    await said(page, "From the daemon").waitFor();
    await page.getByRole("button", { name: "Mode: build" }).waitFor();
    expect(opened.browser.errors).toEqual([]);
  },
);

test("at the limit of steps the page asks whether to go on", here, async () => {
  await using opened = await Opened.start();
  const model = script(opened.daemon, [{ calls: [call("list_files", {})] }, { text: "Done." }]);
  const session = await opened.daemon.session({ model });
  await session.prompt("go", { stepLimit: 1 });
  await session.untilOpen();
  const page = await opened.session(session.id);
  const card = page.getByRole("region", { name: "Go on?" });
  await card.getByText("This turn has taken 1 steps, which is its limit.").waitFor();
  await page.getByRole("link", { name: "Go on?" }).waitFor(); // in the inbox
  await leavePrompt(page);
  await page.keyboard.press("1");
  await said(page, "Done.").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

const asked = (id: string, over: Partial<Request>): Request => ({
  id: id as RequestId,
  kind: "approval",
  subject: { turn: 1 },
  header: "",
  text: "",
  choices: [
    { id: "continue", label: "Go on" },
    { id: "stop", label: "Stop here" },
  ],
  freeText: false,
  openedAt: Date.now(),
  ...over,
});

/** A session with a subtask that waits for the person, made in the log of a stopped daemon; the daemon runs again then. */
async function withChild({ daemon }: Opened): Promise<{ parent: SessionId; child: SessionId }> {
  const session = await daemon.session({ model: script(daemon, [{ calls: [call("list_files", {})] }, { text: "Handed over." }]) });
  await session.prompt("hand it over");
  await session.untilEnd();
  const callId = session.events.flatMap((event) => (event.type === "tool.finished" ? [event.callId] : []))[0] ?? ("" as CallId);
  const [parent, child] = [session.id, `${session.id}.${callId}` as SessionId];
  await daemon.kill();
  const by = { daemon: true } as const;
  writeLog(daemon.home, child, [
    {
      type: "session.created",
      workspace: daemon.workspace,
      mode: "debug",
      model: script(daemon, [{ text: "The subtask is done." }]),
      stepLimit: 200,
      parent: { sessionId: parent, callId },
      by,
    },
    {
      type: "prompt.received",
      promptId: "p1" as never,
      text: "Look into the race",
      delivery: "queue",
      mode: "debug",
      synthetic: "delegate",
      by,
    },
    { type: "prompt.delivered", promptIds: ["p1" as never] },
    { type: "request.opened", request: asked(requestIdOf(child, "t1.200"), { header: "May the subtask go on?" }) },
  ]);
  await daemon.start();
  return { parent, child };
}

test("what a subtask asks stands in the parent and in the inbox, and is answered from there", here, async () => {
  await using opened = await Opened.start();
  const { parent, child } = await withChild(opened);
  const page = await opened.session(parent);
  const [item] = await opened.daemon.connect().api.request.list.query();
  expect([item?.sessionId, item?.rootSessionId]).toEqual([child, parent]);
  const card = page.getByRole("region", { name: "May the subtask go on?" });
  await card.getByText("in Look into the race").waitFor();
  await page.locator(".task").getByText("Waits for your answer, below").waitFor();
  const tree = page.getByRole("navigation", { name: "Sessions" });
  expect(await tree.getByText("needs you", { exact: true }).count()).toBe(2); // the subtask, and the parent for it
  await leavePrompt(page);
  await page.keyboard.press("2");
  await card.waitFor({ state: "detached" });
  await expect.poll(async () => (await opened.daemon.connect().api.request.list.query()).length).toBe(0);

  await page.locator(".task").getByRole("link", { name: "Look into the race" }).click();
  await said(page, "Stopped after").waitFor();
  expect(opened.browser.errors).toEqual([]);
});

test("whether to trust a folder is asked in each of its sessions, from the choices alone", here, async () => {
  await using opened = await Opened.start();
  const { daemon } = opened;
  const session = await daemon.session({ model: script(daemon, [{ text: "Hello." }]) });
  await session.prompt("hi");
  await session.untilEnd();
  await daemon.kill();
  const request = asked("trust:1", {
    kind: "question",
    subject: { workspace: daemon.workspace },
    text: "Do you trust this folder?",
    view: { type: "text", format: "markdown", text: "Its settings would:\n\n- start `node tools/mcp.js`\n- add 2 modes" },
    choices: [
      { id: "trust", label: "Trust", description: "What it sets takes effect." },
      { id: "restrict", label: "Open without trust", description: "Its settings are read, and nothing in them takes effect." },
    ],
  });
  using database = new DatabaseSync(path.join(daemon.home, "baton.db"));
  database
    .prepare("INSERT INTO request (id, session_id, opened_at, data) VALUES (?,?,?,?)")
    .run(request.id, `workspace ${daemon.workspace}`, request.openedAt, JSON.stringify(request));
  await daemon.start();
  const page = await opened.session(session.id);
  const card = page.getByRole("region", { name: "Do you trust this folder?" });
  await card.getByText("start node tools/mcp.js").waitFor();
  await card.getByText("work", { exact: true }).waitFor();
  await card.getByRole("button", { name: "Trust What it sets takes effect." }).waitFor();
  await card.getByRole("button", { name: "Open without trust" }).waitFor();
  await page.getByText("1 needs you here").waitFor();
  expect(opened.browser.errors).toEqual([]);
});
