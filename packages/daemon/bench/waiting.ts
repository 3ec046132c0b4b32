import type { StreamFrame } from "@baton/core/protocol/connection/stream-frame";
import { openRequests } from "@baton/core/session/state";
import { TestDaemon } from "../test/support/daemon.ts";
import { ModelServer } from "../test/support/model-server.ts";
import type { TestSession } from "../test/support/session.ts";
import { bareRelay } from "./bare/bare-relay.ts";
import type { Row } from "./table.ts";

const ROUNDS = 60;

/**
 * Measures the delays between the user and the model: prompt to request, answer of the model to approval, and approval to
 * request.
 */
export async function waiting(): Promise<Row[]> {
  const call = { tool: "run_command", input: { command: "echo $HOME" } };
  await using model = await ModelServer.start({
    replies: Array.from({ length: 2 * ROUNDS }, (_, i) => (i % 2 === 0 ? { calls: [call] } : { text: "ok" })),
  });
  await using daemon = await TestDaemon.start({
    config: model.config,
  });
  using session = await daemon.session({ client: "one" });
  using other = daemon.attach(session.id, "two");
  const rows = { prompt: [] as number[], approval: [] as number[], answer: [] as number[], others: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const prompted = performance.now();
    await session.prompt("go");
    await session.untilOpen();
    const shown = performance.now();
    rows.prompt.push((model.requests.at(-1)?.at ?? Number.NaN) - prompted);
    rows.approval.push(shown - (model.answeredAt.at(-1) ?? Number.NaN));
    await other.untilOpen();
    const answered = performance.now();
    const closed = ({ state }: TestSession) => openRequests(state).length === 0;
    const seen = other.until("the answer at the other client", closed).then(() => performance.now());
    await session.answer({ choice: "once" });
    rows.others.push((await seen) - answered);
    await session.untilEnd(round + 1);
    rows.answer.push((model.requests.at(-1)?.at ?? Number.NaN) - answered);
  }
  return [
    { what: "prompt accepted to model request, committed", unit: "ms", values: rows.prompt, budget: "3 ms" },
    { what: "end of the model's answer to approval at a client", unit: "ms", values: rows.approval, budget: "5 ms" },
    { what: "answer to next model request (shell)", unit: "ms", values: rows.answer, budget: "8 ms" },
    { what: "answer seen by the other client", unit: "ms", values: rows.others, budget: "1.5 ms" },
  ];
}

/** The delay of streamed text from the model's server to a client, with one client and with many. */
export async function streaming(clients: number, stamps: { count: number; everyMs: number }, budget: string): Promise<Row> {
  const reference = { what: "bare relay, 1 client", values: await bareRelay(stamps) };
  await using model = await ModelServer.start({ replies: [{ stamps }] });
  await using daemon = await TestDaemon.start({
    config: model.config,
  });
  using session = await daemon.session();
  const values: number[] = [];
  const following = Array.from({ length: clients }, () => {
    const onFrame = (frame: StreamFrame, now: number) => {
      if (frame.type !== "text") return;
      for (const stamp of frame.text.split(" ")) if (stamp.length > 4) values.push(now - Number(stamp));
    };
    return daemon
      .connect()
      .api.session.follow.subscribe(
        { sessionId: session.id },
        { onData: ({ data }) => data.frames.forEach((frame) => onFrame(frame, performance.now())) },
      );
  });
  await session.runTurn("go");
  for (const subscription of following) subscription.unsubscribe();
  return { what: `streamed text, model to client, ${clients} client${clients === 1 ? "" : "s"}`, unit: "ms", values, budget, reference };
}
