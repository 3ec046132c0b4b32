import type { ContextReport } from "@baton/core/session/context/context-sources";
import { defaultBindings } from "@baton/core/terminal/key-bindings";
import { expect, test } from "vitest";
import { ansiStyle } from "../ansi-style.ts";
import { contextLines } from "./context.ts";

const style = { columns: 100, ansi: ansiStyle("plain"), now: 0, home: "/home/a", keys: defaultBindings };

const report: ContextReport = {
  model: "anthropic/claude",
  window: 200_000,
  compactsAt: 180_000,
  counted: 12_000,
  tokens: 10_000,
  items: [
    { source: "prompt", name: "how to work", tokens: 2_000 },
    { source: "prompt", name: "mode code", tokens: 3_000, count: 4 },
    { source: "files", name: "src/a\nb.ts", tokens: 5_000 },
  ],
};

test("the list of sources and their largest items shows tokens and shares", () => {
  expect(contextLines(report, style)).toEqual([
    "anthropic/claude: 12,000 of 200,000 tokens, 6.0 %; compacted from 180,000",
    "The provider counted the total. The sizes below are estimates; their sum is 10,000.",
    "",
    "System prompt                          5,000    2.5 %",
    "  mode code (4)                        3,000    1.5 %",
    "  how to work                          2,000    1.0 %",
    "Files read                             5,000    2.5 %",
    "  src/a b.ts                           5,000    2.5 %",
    "Free                                 188,000   94.0 %",
  ]);
});

test("the environment of commands is named", () => {
  expect(contextLines({ ...report, environment: ["mise", "venv"] }, style)[2]).toBe("Commands have the environment of mise, venv.");
});

test("without a window and a count, shares refer to the whole conversation, and long lists are cut", () => {
  const items = Array.from({ length: 12 }, (_, i) => ({ source: "mcp" as const, name: `s__t${i}`, tokens: 100 - i }));
  const lines = contextLines({ tokens: 1_134, items }, style);
  expect(lines.slice(0, 2)).toEqual([
    "no model: 1,134 tokens, the context window is unknown",
    "All sizes are estimates, because the provider has not counted this conversation yet.",
  ]);
  expect(lines.at(-1)).toBe("  4 more                                 362   31.9 %");
  expect(lines.length).toBe(3 + 1 + 8 + 1);
});
