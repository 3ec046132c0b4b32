import path from "node:path";
import { loadExpressions } from "@baton/core/permission/expression";
import { expect } from "vitest";

await loadExpressions();

/** Daemons of these scenarios say what of them ran; see `test/coverage/main.ts`. */
const isMeasured = expect.getState().testPath?.includes(path.join("test", "mcp", path.sep)) === true;
process.env["BATON_MEASURING"] = isMeasured ? (process.env["BATON_MEASURED"] ?? "") : "";
