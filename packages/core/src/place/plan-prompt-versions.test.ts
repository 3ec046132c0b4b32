import { expect, test } from "vitest";
import { planVersions } from "./plan-prompt-versions.ts";

test("each version has its own place, and versions reuse the models in turn if there are fewer models", () => {
  expect(planVersions({ count: 3, models: ["a", "b"], name: "fix", group: "0123456789ab" })).toEqual([
    { place: "fix-v1", model: "a" },
    { place: "fix-v2", model: "b" },
    { place: "fix-v3", model: "a" },
  ]);
});

test("without a name and models, the places are named after their group and use the default model", () => {
  expect(planVersions({ count: 2, models: [], name: undefined, group: "0123456789ab" })).toEqual([
    { place: "0123-v1", model: undefined },
    { place: "0123-v2", model: undefined },
  ]);
});
