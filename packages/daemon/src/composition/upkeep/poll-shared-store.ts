import type { SharedStore } from "../../store/database/shared-store.ts";
import type { Clock } from "../../system/clock.ts";
import { runInBackground } from "../../session/run-in-background.ts";
import type { Sessions } from "../../session/sessions.ts";
import type { WorkspaceDecisions } from "../../session/workspace/workspace-decisions.ts";

type Following = {
  shared: Pick<SharedStore, "changed">;
  workspaces: Pick<WorkspaceDecisions, "catchUp">;
  sessions: Pick<Sessions, "readOn">;
  clock: Clock;
  report: (problem: string, error: unknown) => void;
};

/** How often the shared store is polled, in milliseconds. */
const LOOK_MS = 2_000;

/** Polls for what other daemons have written to the store: grants, revocations, sessions. */
export function pollSharedStore({ shared, workspaces, sessions, clock, report }: Following): { close: () => void } {
  const closing = new AbortController();

  const poll = async (): Promise<void> => {
    await workspaces.catchUp();
    await sessions.readOn(await shared.changed());
  };

  const watch = async (): Promise<void> => {
    let isLost = false;
    while (!closing.signal.aborted) {
      await poll().then(
        () => (isLost = false),
        (error: unknown) => {
          if (!isLost) report("changes of other daemons to the store could not be read", error);
          isLost = true;
        },
      );
      await clock.wait(LOOK_MS, closing.signal).catch(() => undefined); // the daemon is stopping
    }
  };

  runInBackground(watch(), report);
  return { close: () => closing.abort(new Error("the daemon is stopping")) };
}
