import type { Run } from "./run.ts";
import { drawConfig } from "./world/settings.ts";

/** Chooses the next random step: mostly one of the waiting tasks continues. It can also be a command, a passage of time, or a fault. */
export async function step(run: Run): Promise<void> {
  const { draws, scheduler, clock } = run;
  if (run.stage === "stopped") return run.restart("the daemon has stopped and is started again");
  const kind = draws.weighted({ go: 800, client: 80, time: 60, fault: 22 });
  switch (kind) {
    case "go":
      if (scheduler.size > 0) return run.note(scheduler.release(draws.happens(600) ? draws.below(scheduler.size) : 0));
      return someClient(run);
    case "client":
      return someClient(run);
    case "time":
      if (clock.timers === 0 || draws.happens(300)) return clock.pass(draws.pick([5, 500, 2_500]));
      return clock.next();
    case "fault":
      return someFault(run);
  }
}

/** A client connects, or sends a command. */
function someClient(run: Run): void {
  const { draws, clients } = run;
  const client = draws.pick(clients);
  const other = clients.find(({ session }) => session !== undefined);
  if (!client.session && other && draws.happens(800)) client.session = other.session;
  if (client.session && !client.connected) {
    run.note(`${client.name} connects`);
    return client.connect();
  }
  client.act();
}

async function someFault(run: Run): Promise<void> {
  const { draws, clock } = run;
  const what = draws.weighted({ cut: 5, slow: 4, kill: 4, stop: 2, full: 3, free: 3, clock: 2, sleep: 1, rules: 6, memory: 4 });
  const client = draws.pick(run.clients);
  switch (what) {
    case "cut":
      run.fault("a client is cut off");
      return client.cut();
    case "slow":
      run.fault("a client takes nothing any more");
      return client.stall();
    case "kill":
      run.fault("the daemon is killed");
      return run.restart("it is started again");
    case "stop":
      if (run.stage !== "running") return;
      run.fault("the daemon is told to stop");
      return run.stop();
    case "full":
      run.diskFull = true;
      return;
    case "free":
      run.diskFull = false;
      return;
    case "clock":
      run.fault("the clock is set");
      return clock.set(draws.pick([3_600_000, -86_400_000]));
    case "sleep":
      run.fault("the machine sleeps for 8 hours");
      return clock.pass(8 * 3_600_000);
    case "memory":
      run.tight = !run.tight;
      if (run.tight) run.fault("memory runs short");
      return;
    case "rules":
      run.fault("rules and settings change");
      run.config = drawConfig(draws);
      return run.sessions.rejudge();
  }
}
