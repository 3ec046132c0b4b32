import { expect, test } from "vitest";
import { PromptId } from "@baton/core/protocol/ids";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const ask = { calls: [{ tool: "run_command", input: { command: "echo done" } }] };

/** A window of an editor that follows the inbox. */
function openWindow(daemon: TestDaemon, window: string) {
  const { api, close } = daemon.connect("editor");
  let seen: readonly { sessionId: string; window?: string | undefined }[] | undefined;
  const following = api.request.follow.subscribe({ window }, { onData: ({ data }) => (seen = data) });
  return {
    api,
    windowOf: (sessionId: string) => seen?.find((item) => item.sessionId === sessionId)?.window,
    sees: (sessionId: string) => seen?.some((item) => item.sessionId === sessionId) ?? false,
    isOpen: () => seen !== undefined,
    close: async () => {
      following.unsubscribe();
      await close();
    },
  };
}

test("requests of a session belong to the window that prompted it last, with two and with ten windows", async () => {
  await using daemon = await TestDaemon.start();
  const windows = Array.from({ length: 10 }, (_, i) => openWindow(daemon, `window ${i}`));
  for (const { isOpen } of windows) await expect.poll(isOpen).toBe(true);
  for (const at of [0, 4, 9]) {
    const session = await daemon.session({ model: script(daemon, [ask, { text: "ok" }]) });
    await windows[at]?.api.session.send.mutate({
      sessionId: session.id,
      commandId: crypto.randomUUID(),
      wish: { type: "prompt", promptId: PromptId.parse(crypto.randomUUID()), text: "go", delivery: "queue" },
    });
    for (const { windowOf } of windows) await expect.poll(() => windowOf(session.id)).toBe(`window ${at}`);
  }
});

test("a request that no open window prompted belongs to the first that adopts it, and to another one if that closes", async () => {
  await using daemon = await TestDaemon.start();
  const [first, second] = [openWindow(daemon, "first"), openWindow(daemon, "second")];
  for (const { isOpen } of [first, second]) await expect.poll(isOpen).toBe(true);
  const session = await daemon.session({ client: "terminal", model: script(daemon, [ask, { text: "ok" }]) });
  await session.prompt("go");
  await session.untilOpen();
  for (const { sees, windowOf } of [first, second]) {
    await expect.poll(() => sees(session.id)).toBe(true);
    expect(windowOf(session.id)).toBeUndefined();
  }
  const rootSessionId = session.id;
  expect(await second.api.request.adopt.mutate({ rootSessionId })).toEqual({ adopted: true });
  expect(await first.api.request.adopt.mutate({ rootSessionId })).toEqual({ adopted: false });
  for (const { windowOf } of [first, second]) await expect.poll(() => windowOf(session.id)).toBe("second");
  await second.close();
  await expect.poll(() => first.windowOf(session.id)).toBeUndefined();
  expect(await first.api.request.adopt.mutate({ rootSessionId })).toEqual({ adopted: true });
});

test("a connection without a window takes a session from its window by prompting, and cannot adopt one", async () => {
  await using daemon = await TestDaemon.start();
  const window = openWindow(daemon, "window");
  await expect.poll(window.isOpen).toBe(true);
  const session = await daemon.session({ client: "terminal", model: script(daemon, [ask, { text: "ok" }]) });
  expect(await window.api.request.adopt.mutate({ rootSessionId: session.id })).toEqual({ adopted: true });
  await session.prompt("go");
  await session.untilOpen();
  await expect.poll(() => window.sees(session.id)).toBe(true);
  expect(window.windowOf(session.id)).toBeUndefined();
  expect(await daemon.connect().api.request.adopt.mutate({ rootSessionId: session.id })).toEqual({ adopted: false });
});
