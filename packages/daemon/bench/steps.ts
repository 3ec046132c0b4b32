import { TestDaemon } from "../test/support/daemon.ts";
import { ModelServer, type Reply } from "../test/support/model-server.ts";
import { bareLoop } from "./bare/bare-loop.ts";
import { median, type Row } from "./table.ts";

const STEPS = 400;

/**
 * Measures the daemon's own time per step, from the end of the model's answer to the arrival of the next request, with a model that
 * answers at once. It measures at the start of a session, at step 40 and at step 400.
 */
export async function steps(): Promise<Row[]> {
  const read = await gaps({ calls: [{ tool: "read_file", input: { path: "notes.txt" } }] });
  const shell = await gaps({ calls: [{ tool: "run_command", input: { command: "true" } }] });
  const bare = await bareLoop(STEPS, "read");
  const bareShell = await bareLoop(STEPS, "shell");
  const growth = (all: number[], from: number, to: number) => [median(all.slice(from, to)) / median(all.slice(3, 8))];
  return [
    {
      what: "own time per step, read tool, steps 3-40",
      unit: "ms",
      values: read.gaps.slice(3, 40),
      budget: "1.5 / 5 ms",
      reference: { what: "bare loop", values: bare.slice(3, 40) },
    },
    {
      what: "the same, steps 360-400",
      unit: "ms",
      values: read.gaps.slice(360, 400),
      reference: { what: "bare loop", values: bare.slice(360, 400) },
    },
    {
      what: "growth, steps 3-7 to 36-40",
      unit: "x",
      values: growth(read.gaps, 36, 41),
      budget: "1.0",
      reference: { what: "bare loop", values: growth(bare, 36, 41) },
    },
    {
      what: "growth, steps 3-7 to 390-400",
      unit: "x",
      values: growth(read.gaps, 390, 400),
      budget: "1.5",
      reference: { what: "bare loop", values: growth(bare, 390, 400) },
    },
    {
      what: "own time per step, shell command, steps 3-40",
      unit: "ms",
      values: shell.gaps.slice(3, 40),
      budget: "3.5 / 8 ms",
      reference: { what: "bare loop", values: bareShell.slice(3, 40) },
    },
    { what: "first request, code mode", unit: "KiB", values: [read.firstBytes / 1024], budget: "16 KiB" },
    { what: "memory after 40 steps", unit: "MiB", values: [read.memoryAt40], budget: "120 MiB" },
    { what: "memory after 400 steps", unit: "MiB", values: [read.memory], budget: "150 MiB" },
  ];
}

async function gaps(reply: Reply): Promise<{ gaps: number[]; firstBytes: number; memory: number; memoryAt40: number }> {
  await using model = await ModelServer.start({ replies: [...Array.from({ length: STEPS }, () => reply), { text: "Done." }] });
  const permissions = { command: { true: "allow" }, loop_guard: "allow" };
  await using daemon = await TestDaemon.start({
    config: { ...model.config, permissions },
  });
  daemon.write("notes.txt", "A line of text.\n".repeat(40));
  const { api } = daemon.connect();
  const { id } = await api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: daemon.workspace });
  const wish = { type: "prompt" as const, promptId: crypto.randomUUID(), text: "go", delivery: "queue" as const, stepLimit: STEPS + 10 };
  // No client follows the session, because a client in the process of the model's server would be measured too.
  await api.session.send.mutate({ sessionId: id, commandId: crypto.randomUUID(), wish });
  await untilAsked(model, 40);
  const memoryAt40 = (await api.daemon.status.query()).memory / 1024 / 1024;
  await untilAsked(model, STEPS + 1);
  const { memory } = await api.daemon.status.query();
  const found = model.requests.slice(1).map(({ at }, i) => at - (model.answeredAt[i] ?? at));
  return { gaps: found, firstBytes: model.requests[0]?.bytes ?? 0, memory: memory / 1024 / 1024, memoryAt40 };
}

/** Checks regularly whether the model has been called this often. */
async function untilAsked(model: ModelServer, times: number): Promise<void> {
  while (model.requests.length < times) await new Promise((look) => setTimeout(look, 20));
}
