import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { createCommands } from "@baton/core/client/command-client";
import { expect, test } from "vitest";
import { scenarios, type Stage } from "../../../core/test/client-scenarios.ts";
import type { Connection } from "../../src/client/index.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

type Reply = Parameters<typeof script>[1][number];

const PATIENT = { timeout: 30_000 };

const PRINTS = `for i in $(seq 20); do echo line $i; sleep 0.02; done; while [ ! -e ended ]; do sleep 0.05; done`;

/** Cuts the socket under a connection, like a pulled cable. The client reconnects by itself. */
function cut({ socket }: Connection): void {
  const { connection } = socket;
  if (connection && "ws" in connection) connection.ws.close();
}

async function realStage(daemon: TestDaemon, replies: readonly Reply[]): Promise<Stage> {
  const session = await daemon.session({ model: script(daemon, [...replies]) });
  const connection = daemon.connect();
  const { api } = connection;
  const untilRest = () =>
    expect
      .poll(async () => {
        const { state } = await api.session.open.query({ sessionId: session.id });
        return state.turn === undefined && state.queue.length === 0;
      }, PATIENT)
      .toBe(true);
  const turn = async (text: string) => {
    await session.prompt(text);
    await untilRest();
  };
  return {
    api,
    sessionId: session.id,
    turn,
    async cutting(during) {
      const cuts = setInterval(() => cut(connection), 30);
      await during();
      clearInterval(cuts);
    },
    async print() {
      await session.prompt("print");
      const printed = (text: string) =>
        session.until(text, ({ frames }) => frames.some((frame) => frame.type === "output" && frame.text.includes(text)));
      await printed("line 3");
      cut(connection);
      await printed("line 20");
      cut(connection);
    },
    async endPrinting() {
      daemon.write("ended", "");
      await untilRest();
    },
    async rewind(text) {
      const prompt = session.events.find((event) => event.type === "prompt.received" && event.text === text);
      if (prompt?.type !== "prompt.received") throw new Error(`no prompt ${text}`);
      await createCommands(api).send(session.id, { type: "rewind", promptId: prompt.promptId });
    },
    async restore() {
      const copy = path.join(daemon.root, "copy");
      await daemon.kill();
      cpSync(daemon.home, copy, { recursive: true });
      await daemon.start();
      await turn("lost in the restore");
      await daemon.kill();
      rmSync(daemon.home, { recursive: true, maxRetries: 20, retryDelay: 50 });
      cpSync(copy, daemon.home, { recursive: true });
      await daemon.start();
    },
  };
}

const text = { text: "A reply." };
const printing = { calls: [{ tool: "run_command", input: { command: PRINTS } }] };

test.each(Object.entries(scenarios))("%s", async (name, scenario) => {
  await using daemon = await TestDaemon.start({ config: { permissions: { command: "allow", loop_guard: "allow" } } });
  const replies = name.startsWith("the output") ? [printing, text] : Array.from({ length: 20 }, () => text);
  await scenario(await realStage(daemon, replies));
});
