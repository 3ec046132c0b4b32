import { TestDaemon } from "../test/support/daemon.ts";
import { floodOf, residentMiB } from "../test/support/fault/flood.ts";
import type { Row } from "./table.ts";

const DELTAS = 1_000_000;
const LOOK_MS = 200;

/** One answer in a million pieces of two characters, with a following client: the number of commits and the memory. */
export async function flood(): Promise<Row[]> {
  await using server = await floodOf(DELTAS);
  await using daemon = await TestDaemon.start({
    config: { model: "p/m", providers: { p: { kind: "anthropic", baseUrl: server.url, apiKey: "k" } } },
  });
  using session = await daemon.session();
  const memory = [residentMiB(daemon.pid)];
  const commits = new Map<number, number>();
  await session.prompt("go");
  while (session.state.lastTurn === undefined) {
    await new Promise((look) => setTimeout(look, LOOK_MS));
    memory.push(residentMiB(daemon.pid));
    // A test client keeps every frame, which would distort the measurement.
    session.frames.length = 0;
  }
  for (const { at } of session.events) commits.set(Math.floor(at / 1_000), (commits.get(Math.floor(at / 1_000)) ?? 0) + 1);
  const [first, last] = [session.events[0]?.at ?? 0, session.events.at(-1)?.at ?? 0];
  return [
    {
      what: "a million tiny pieces of text: events in the busiest second",
      unit: "",
      values: [Math.max(...commits.values())],
      budget: "20",
    },
    { what: "the same, most memory", unit: "MiB", values: [Math.max(...memory)], budget: "250 MiB" },
    { what: "the same, in all", unit: "ms", values: [last - first] },
  ];
}
