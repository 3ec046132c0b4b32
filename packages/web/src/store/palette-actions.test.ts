import { expect, test } from "vitest";
import { matchPaletteActions } from "./palette-actions.ts";

const action = (label: string, hint = "") => ({ icon: "x", label, hint, run: () => undefined });

test("actions are found by all words of their label and hint, and a label that starts with the words comes first", () => {
  const actions = [action("Switch to plan", "mode"), action("Plan the day"), action("Settings")];
  expect(matchPaletteActions(actions, "plan").map(({ label }) => label)).toEqual(["Plan the day", "Switch to plan"]);
  expect(matchPaletteActions(actions, "MODE switch").map(({ label }) => label)).toEqual(["Switch to plan"]);
  expect(matchPaletteActions(actions, "").length).toBe(3);
});
