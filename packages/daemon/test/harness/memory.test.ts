import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";
import { brokenPromises } from "./check.ts";
import { jobDialogue, jobRules } from "./job.ts";
import { Load } from "./load.ts";
import { record } from "./record.ts";

/** The limit of V8 in megabytes. Its default is thousands. */
const HEAP = 36;
const SESSIONS = Number(process.env["BATON_CONVERSATIONS"] ?? 20);
const WORDS = `${"and_so_on_".repeat(10_000)} `.repeat(8);

test(
  "with little memory, idle sessions free theirs, so the daemon can hold, read and continue far more conversations than fit",
  { timeout: 300_000 },
  async () => {
    await using model = await ModelServer.start({
      replies: [{ text: WORDS, calls: [{ tool: "list_files", input: { path: "." } }] }, { text: "Done." }, { text: "Done again." }],
    });
    await using daemon = await TestDaemon.start({ config: model.config, args: [`--max-old-space-size=${HEAP}`] });
    const boot = daemon.discovery.bootId;
    const ids: string[] = [];
    for (let n = 0; n < SESSIONS; n++) {
      const session = await daemon.session();
      await session.runTurn("talk");
      ids.push(session.id);
      session[Symbol.dispose]();
    }
    const { api } = daemon.connect();
    const status = await api.daemon.status.query();
    console.log(
      `${(SESSIONS * WORDS.length) / 1e6} MB of conversations in a heap of ${HEAP} MB: ${Math.round(status.memory / 1024 / 1024)} MB in all`,
    );
    expect([status.bootId, status.openSessions]).toEqual([boot, SESSIONS]);
    const first = daemon.attach(ids[0] ?? "");
    await first.until("all of it", ({ state }) => state.turns === 1 && !state.turn);
    expect(first.events.some((event) => event.type === "model.replied" && event.text === WORDS)).toBe(true);
    await first.runTurn("and on", 2);
    expect(JSON.stringify(model.requests.at(-1))).toContain(WORDS.slice(0, 1_000));
    record({ row: "40", tried: 1, lost: 0 });
  },
);

/** Too little for the work of a few sessions, and enough to start. */
const TOO_LITTLE = 20;
const DEATHS = Number(process.env["BATON_DEATHS"] ?? 1);

test("a daemon that dies from a lack of memory loses nothing that a client saw, and does nothing twice", { timeout: 300_000 }, async () => {
  await using model = await ModelServer.start({ replies: [] });
  let effects = "";
  await using daemon = await TestDaemon.start({
    args: [`--max-old-space-size=${TOO_LITTLE}`],
    config: (root) => {
      effects = path.join(root, "effects");
      return { ...model.config, permissions: jobRules(effects) };
    },
  });
  model.options = { replies: [], replyTo: jobDialogue(effects) };
  daemon.write("notes.txt", "a note\n");
  const beginning = Load.begin(daemon, 6);
  for (let death = 1; death <= DEATHS; death++) {
    const began = performance.now();
    expect(await daemon.ended()).not.toBe(0);
    const died = performance.now();
    await daemon.start(death === DEATHS ? { args: [] } : {});
    console.log(`dead after ${Math.round(died - began)} ms, there again after ${Math.round(performance.now() - died)} ms`);
  }
  const load = await beginning;
  await load.end();
  await daemon.kill("SIGTERM");
  const broken = [...brokenPromises(daemon, load.sessions, effects), ...model.violations.map((what) => `P5: ${what}`)];
  record({ row: "40", tried: DEATHS, lost: broken.length });
  expect(broken).toEqual([]);
});
