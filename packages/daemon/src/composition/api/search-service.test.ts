import { expect, test } from "vitest";
import { searchService } from "./search-service.ts";

const nothing = () => undefined;
const stored = (name: string) => (name === "exa" ? { stamp: "1", read: () => Promise.resolve("stored") } : undefined);

test.each([
  [{ service: "exa" }, { EXA_API_KEY: "variable" }, "https://api.exa.ai/search", "variable"],
  [{ service: "exa" }, {}, "https://api.exa.ai/search", "stored"],
  [{ service: "exa", key: "{env:MY_KEY}" }, { MY_KEY: "mine" }, "https://api.exa.ai/search", "mine"],
  [{ service: "brave", key: "own" }, {}, "https://api.search.brave.com/res/v1/web/search", "own"],
  [{ service: "tavily", key: "own", url: "https://proxy.example/tavily/" }, {}, "https://proxy.example/tavily/search", "own"],
  [{ service: "searxng", url: "http://localhost:8888" }, {}, "http://localhost:8888/search", undefined],
] as const)("%j finds its address and its key", async (webSearch, env, address, key) => {
  const { service } = searchService({ webSearch }, env, stored);
  expect([service?.address.href, await service?.key(), service?.own]).toEqual([address, key, "url" in webSearch]);
});

test.each([
  [{}, "the setting webSearch names no service"],
  [{ webSearch: { service: "brave" } }, "brave has no key: `baton auth login brave` stores one, or set BRAVE_API_KEY"],
  [{ webSearch: { service: "brave", key: "{env:UNSET}" } }, "brave has no key: the variable UNSET, which webSearch.key names, is not set"],
] as const)("%j is not a service", (config, problem) => {
  expect(searchService(config, {}, nothing)).toEqual({ problem });
});
