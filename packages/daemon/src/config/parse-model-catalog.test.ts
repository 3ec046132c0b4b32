import { expect, test } from "vitest";
import { parseModelCatalog } from "./parse-model-catalog.ts";

/** A part of models.dev's api.json, with fields that Baton does not use. */
const api = {
  anthropic: {
    id: "anthropic",
    env: ["ANTHROPIC_API_KEY"],
    npm: "@ai-sdk/anthropic",
    name: "Anthropic",
    doc: "https://docs.example/",
    models: {
      "claude-x": {
        id: "claude-x",
        name: "Claude X",
        attachment: true,
        reasoning: true,
        temperature: true,
        tool_call: true,
        knowledge: "2026-01",
        release_date: "2026-02-01",
        last_updated: "2026-02-01",
        modalities: { input: ["text", "image"], output: ["text"] },
        open_weights: false,
        cost: { input: 3, output: 15, cache_read: 0.3, context_over_200k: { input: 6, output: 22.5 } },
        limit: { context: 200_000, output: 0 },
      },
    },
  },
};

test("a catalog of models.dev is read with the fields that Baton uses", () => {
  expect(parseModelCatalog(JSON.stringify(api), "api.json")).toEqual({
    catalog: {
      anthropic: {
        name: "Anthropic",
        env: ["ANTHROPIC_API_KEY"],
        models: {
          "claude-x": {
            name: "Claude X",
            reasoning: true,
            tool_call: true,
            modalities: { input: ["text", "image"], output: ["text"] },
            cost: { input: 3, output: 15, cache_read: 0.3, tiers: [{ input: 6, output: 22.5, tier: { size: 200_000 } }] },
            limit: { context: 200_000, output: undefined },
          },
        },
      },
    },
  });
});

test.each([
  ["{\n  broken", "api.json:2:3: This word needs double quotes."],
  ["[]", "api.json:1:1: expected record, received array."],
  ["{}", "api.json names no provider."],
  ['{ "a": { "name": "A", "models": {} },\n  "b": { "name": "B" } }', "api.json:2:8: b.models: expected record, received undefined."],
  [
    '{ "a": { "name": "A", "models": {\n "m": { "cost": { "input": "3", "output": 1 } } } } }',
    "api.json:2:28: a.models.m.cost.input: expected number, received string.",
  ],
  [
    '{ "a": { "name": "A", "models": {\n "m": { "limit": { "context": -1 } } } } }',
    "api.json:2:31: a.models.m.limit.context: Too small: expected number to be >=0.",
  ],
])("%j is broken", (text, problem) => expect(parseModelCatalog(text, "api.json")).toEqual({ problem }));
