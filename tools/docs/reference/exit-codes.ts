import { EXIT_CODES, exitMeanings } from "../../../packages/cli/src/connection/exit-codes.ts";
import { code, table } from "../markdown.ts";
import type { Page } from "./page.ts";

export const exitCodesPage = (): Page => ({
  file: "exit-codes.md",
  title: "Exit codes",
  about:
    "Every command ends with one of these codes. [Run an agent in CI](../guides/ci.md) shows how to use them. `baton permissions check` exits with 0 for every verdict.",
  parts: [
    table(
      ["code", "meaning"],
      Object.entries(EXIT_CODES).map(([name, value]) => [code(String(value)), meaningOf(name)]),
    ),
  ],
});

const meaningOf = (name: string): string => exitMeanings[name as keyof typeof EXIT_CODES]; // the names are those of EXIT
