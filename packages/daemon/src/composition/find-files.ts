import type { Verdict } from "@baton/core/protocol/rule";
import { callPorts } from "../session/calls/call-ports.ts";
import type { SharedDependencies } from "../session/session-dependencies.ts";
import { openFileFinder, type FileFinder } from "../system/files/file-finder.ts";

/** More files than this are not offered for completion. */
const MAX_FILES = 200_000;
const TIME_LIMIT_MS = 20_000;

/** The whole workspace, judged as a search by the user. */
const everywhere: Verdict = {
  effect: "allow",
  rule: null,
  accesses: [{ action: "read", resource: ".", effect: "allow", rule: null }],
  why: "asked by the user",
};

/** Finds files of workspaces for completion. */
export const fileFinder = (services: SharedDependencies, now: () => number): FileFinder =>
  openFileFinder({
    now,
    list: async (workspace) => {
      const mode = services.settings.defaultMode(workspace);
      const { search } = callPorts(everywhere, { mode, workspace, roots: [], grants: [], ceilings: [] }, services);
      const found = await search.files({ limit: MAX_FILES }, AbortSignal.timeout(TIME_LIMIT_MS));
      return "fault" in found ? undefined : found.files;
    },
  });
