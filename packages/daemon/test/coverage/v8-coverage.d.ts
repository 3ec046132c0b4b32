declare module "@bcoe/v8-coverage" {
  import type { Profiler } from "node:inspector";

  type Record = { result: Profiler.ScriptCoverage[] };
  export function mergeProcessCovs(records: readonly Record[]): Record;
}
