import type { StateSnapshot } from "../../src/store/projections.ts";
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
        const losing = (inner: typeof store): typeof store => ({
          ...inner,
          lists: { ...inner.lists, snapshot: async (id) => forgetful(await inner.lists.snapshot(id)) },
          reopen: async () => losing(await inner.reopen()),
        });
        return losing(store);
      },
    },
  },
  "a client that comes back misses an event": { breaks: "P6", plant: { resumeAt: (seen) => (seen === 0 ? 0 : seen + 1) } },
};

/** A snapshot without the waiting calls. */
const forgetful = (saved: StateSnapshot | "later" | undefined) =>
  saved === undefined || saved === "later"
    ? saved
    : { ...saved, state: { ...saved.state, calls: saved.state.calls.filter(({ phase }) => phase !== "waiting") } };
