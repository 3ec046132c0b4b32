import path from "node:path";
import { loadRegexEngine } from "@baton/core/text/regex";
import { beforeAll } from "vitest";

await loadRegexEngine();

/** Daemons of these scenarios record which of their code ran; see `test/coverage/main.ts`. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads which fixtures are wanted from the pattern
beforeAll(({}, suite) => {
  const isMeasured = suite.file.filepath.includes(path.join("test", "mcp", path.sep));
  process.env["BATON_MEASURING"] = isMeasured ? (process.env["BATON_MEASURED"] ?? "") : "";
});
