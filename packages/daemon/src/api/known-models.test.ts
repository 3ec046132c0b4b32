import { expect, test } from "vitest";
import { knownModels } from "./known-models.ts";

test("models come from the default, the modes and the providers, each once and with its sizes", () => {
  const local = { kind: "openai-compatible" as const, baseUrl: "http://127.0.0.1:1/v1" };
  expect(
    knownModels({
      model: "local/small",
      modes: { plan: { model: "local/large" }, ask: {} },
      providers: { local: { ...local, models: { large: { contextWindow: 200_000, maxOutput: 8_000 }, other: {} } } },
    }),
  ).toEqual([{ id: "local/small" }, { id: "local/large", contextWindow: 200_000, maxOutput: 8_000 }, { id: "local/other" }]);
});
