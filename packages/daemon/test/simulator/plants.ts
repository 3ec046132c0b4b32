import type { Snapshot } from "../../src/store/projections.ts";
import { toolByName } from "../../src/tool/builtin-tools.ts";
import type { Plant } from "./run.ts";

/** Bugs that a daemon could have. The test adds them and has to find them. Each has the promise that it breaks. */
export const plants: Record<string, { breaks: string; plant: Plant }> = {
  "a command runs again after a crash": {
    breaks: "P2",
    plant: {
      tools: {
        get: (name) => {
          const tool = toolByName.get(name);
          return tool?.name === "run_command" && tool.kind === "acting" ? { ...tool, replay: "safe" } : tool;
        },
        values: () => toolByName.values(),
      },
    },
  },
  "an approval is lost when a session is opened again": {
    breaks: "P4",
    plant: {
      store: (store) => {
        const losing = (kept: typeof store): typeof store => ({
          ...kept,
          lists: { ...kept.lists, snapshot: async (id) => forgetful(await kept.lists.snapshot(id)) },
          reopen: async () => losing(await kept.reopen()),
        });
        return losing(store);
      },
    },
  },
  "a client that comes back misses an event": { breaks: "P6", plant: { resumeAt: (seen) => (seen === 0 ? 0 : seen + 1) } },
};

/** A snapshot without the waiting calls. */
const forgetful = (kept: Snapshot | "later" | undefined) =>
  kept === undefined || kept === "later"
    ? kept
    : { ...kept, state: { ...kept.state, calls: kept.state.calls.filter(({ phase }) => phase !== "waiting") } };
