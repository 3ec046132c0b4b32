import { expect, test } from "vitest";
import { openModelRegistry } from "../model/model-registry.ts";
import { knownModels } from "./known-models.ts";

const nothing = { env: {}, stored: () => undefined, demo: undefined };

test("models come from the default, the modes and the providers, each once and with the known facts about it", () => {
  const baseUrl = "https://models.example/v1";
  const catalog = openModelRegistry(() => ({
    ...nothing,
    providers: [
      { name: "own", kind: "openai-compatible", baseUrl, models: { large: { limit: { context: 200_000, output: 8_000 } }, other: {} } },
    ],
  }));
  expect(knownModels({ model: "own/small", modes: { plan: { model: "own/large" }, ask: {} } }, catalog)).toEqual([
    { id: "own/small" },
    { id: "own/large", contextWindow: 200_000, maxOutput: 8_000 },
    { id: "own/other" },
  ]);
});

test("a provider with a key offers the models of the snapshot, and one without a key offers nothing", async () => {
  const catalog = openModelRegistry(() => ({ ...nothing, env: { ANTHROPIC_API_KEY: "k" }, providers: [] }));
  await catalog.load();
  const known = knownModels({}, catalog);
  expect(new Set(known.map(({ id }) => id.split("/")[0]))).toEqual(new Set(["anthropic"]));
  expect(known.every(({ contextWindow, price }) => contextWindow !== undefined && price !== undefined)).toBe(true);
});

test("the user's settings of a model override the snapshot, and a dated id means the model of that name", async () => {
  const models = { "claude-haiku-4-5": { limit: { context: 100_000 } } };
  const catalog = openModelRegistry(() => ({ ...nothing, providers: [{ name: "anthropic", kind: "anthropic", models }] }));
  await catalog.load();
  expect(catalog.facts("anthropic/claude-haiku-4-5")).toMatchObject({ contextWindow: 100_000, maxOutput: 64_000 });
  expect(catalog.facts("anthropic/claude-sonnet-4-5-20250929")).toMatchObject({ contextWindow: 200_000, price: { input: 3 } });
});

test("a model on this machine costs nothing, and the cost of any other model without a price is unknown", () => {
  const catalog = openModelRegistry(() => ({
    ...nothing,
    providers: [
      { name: "here", kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", models: {} },
      { name: "there", kind: "openai-compatible", baseUrl: "http://127.0.0.1.example/v1", models: {} },
    ],
  }));
  expect(catalog.facts("here/m")?.price).toEqual({ input: 0, output: 0 });
  expect(catalog.facts("there/m")?.price).toBeUndefined();
});
