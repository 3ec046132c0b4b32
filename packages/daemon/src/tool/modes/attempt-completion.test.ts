import { expect, test } from "vitest";
import { Workbench } from "../../../test/support/workbench.ts";

test("a completion ends the turn with its result", async () => {
  await using bench = await Workbench.open();
  expect(await bench.run("attempt_completion", { result: "**Done**" })).toEqual({
    outcome: "ok",
    text: "**Done**",
    ends: "completed",
    view: { type: "text", text: "**Done**", format: "markdown" },
  });
});

test("a blocked turn says what it needs", async () => {
  await using bench = await Workbench.open();
  expect(await bench.run("attempt_completion", { result: "No.", outcome: "blocked", needs: "a key" })).toMatchObject({
    text: "No.\n\nNeeds: a key",
    ends: "blocked",
    end: "blocked",
  });
});
