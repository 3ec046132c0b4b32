import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";
import { brokenPromises } from "./check.ts";
import { jobDialogue, jobRules } from "./job.ts";
import { Load } from "./load.ts";
import { record } from "./record.ts";

const KILLS = Number(process.env["BATON_KILLS"] ?? 3);
const SESSIONS = Number(process.env["BATON_SESSIONS"] ?? 12);

test(
  `killed ${KILLS} times at random under the load of ${SESSIONS} sessions, the daemon loses nothing that a client saw and does nothing twice`,
  { timeout: 60_000 + KILLS * 20_000 },
  async () => {
    await using model = await ModelServer.start({ replies: [] });
    let effects = "";
    await using daemon = await TestDaemon.start({
      config: (root) => {
        effects = path.join(root, "effects");
        return { ...model.config, permissions: jobRules(effects) };
      },
    });
    model.options = { replies: [], replyTo: jobDialogue(effects) };
    daemon.write("notes.txt", "a note\n");
    const load = await Load.begin(daemon, SESSIONS);
    for (let kill = 0; kill < KILLS; kill++) {
      await new Promise((at) => setTimeout(at, 200 + Math.random() * 1_500));
      await daemon.kill("SIGKILL");
      await daemon.start();
    }
    await load.end();
    await daemon.kill("SIGTERM");
    const broken = [...brokenPromises(daemon, load.sessions, effects), ...model.violations.map((what) => `P5: ${what}`)];
    const events = load.sessions.reduce((sum, { seen: [session] }) => sum + session.events.length, 0);
    const jobs = load.sessions.reduce((sum, { accepted }) => sum + accepted.length, 0);
    console.log(`${KILLS} kills, ${SESSIONS} sessions, ${jobs} prompts accepted, ${events} events seen by each of two clients`);
    record({ row: "2", tried: KILLS, lost: broken.length });
    expect(broken).toEqual([]);
    expect(events).toBeGreaterThan(SESSIONS * 10);
  },
);
