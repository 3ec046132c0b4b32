import type { CallId } from "@baton/core/protocol/ids";
import type { EditChecker } from "../../../src/language/checks/edit-checker.ts";
import type { CodeQueries } from "../../../src/tool/code/code-query-types.ts";
import type { Run } from "../run.ts";

/** A language server of the simulated world. It checks one file, and finds an error in every second edit of it. */
export function simLanguages({ scheduler }: Run): EditChecker {
  const edits: CallId[] = [];
  let checks = 0;
  return {
    willChange: async ({ callId, path }) => path === "b.txt" && edits.push(callId) > 0,
    check: (_, __, signal) =>
      scheduler.step(
        "diagnostics",
        () => {
          const [callId] = edits.splice(0);
          if (callId === undefined || ++checks % 2 === 0) return { found: [] };
          const error = { callId, errors: [{ file: "a.txt", line: 1, column: 1, message: "No." }], more: 0 };
          return checks % 3 === 0 ? { found: [], late: Promise.resolve([error]) } : { found: [error] };
        },
        { signal },
      ),
  };
}

const none = async () => ({ fault: "There is no language server here." });

/** The simulator has no index of code. */
export const noCodeIndex = { search: none, map: async () => "" };

export const noCodeQueries: CodeQueries = { errors: none, find: none, outline: none, rename: none };
