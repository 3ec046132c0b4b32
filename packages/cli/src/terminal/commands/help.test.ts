import { expect, test } from "vitest";
import { style } from "../../../test/support/render-fixtures.ts";
import { helpEntries, splitPages } from "./slash-commands.ts";

const commands = [{ name: "undo", about: "undo the file changes of the newest turn" }];

test("help is split into pages that fit on the screen, and no line is lost", () => {
  for (const [columns, rows] of [
    [80, 20],
    [60, 16],
    [40, 8],
  ] as const) {
    const entries = helpEntries(style(columns, "plain"), commands);
    const pages = splitPages(entries, rows);
    expect(pages.every((page) => page.length <= rows)).toBe(true);
    expect(pages.flat().filter((line) => line !== "")).toEqual(entries.flat().filter((line) => line !== ""));
  }
});
