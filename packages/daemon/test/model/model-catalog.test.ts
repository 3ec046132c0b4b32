import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";

const catalog = (input: unknown) =>
  JSON.stringify({
    anthropic: {
      id: "anthropic",
      name: "Anthropic",
      env: ["ANTHROPIC_API_KEY"],
      models: { "claude-next": { id: "claude-next", cost: { input, output: 9 }, limit: { context: 300_000, output: 32_000 } } },
    },
  });

const NEXT = "anthropic/claude-next";

async function modelsOf(daemon: TestDaemon) {
  const all = await daemon.connect().api.daemon.models.query();
  return { next: all.find(({ id }) => id === NEXT), shipped: all.some(({ id }) => id === "anthropic/claude-opus-5-5") };
}

test("a loaded catalog applies at once, survives a restart, and can be reset, and a broken one changes nothing", async () => {
  await using daemon = await TestDaemon.start({ env: { ANTHROPIC_API_KEY: "k" } });
  const { api } = daemon.connect();
  expect(await modelsOf(daemon)).toEqual({ next: undefined, shipped: true });
  expect(await api.catalog.status.query()).toBe(null);

  const file = daemon.write("api.json", catalog(3));
  expect(await api.catalog.refresh.mutate({ source: file })).toMatchObject({ source: file, providers: 1, models: 1 });
  const known = { id: NEXT, contextWindow: 300_000, maxOutput: 32_000, price: { input: 3, output: 9 } };
  expect(await modelsOf(daemon)).toEqual({ next: known, shipped: true });

  const broken = daemon.write("broken.json", catalog("three"));
  await expect(api.catalog.refresh.mutate({ source: broken })).rejects.toThrow(
    /broken\.json:1:\d+: anthropic\.models\.claude-next\.cost\.input: expected number, received string\. The catalog of models stays as it was/,
  );
  await expect(api.catalog.refresh.mutate({ source: "/nowhere.json" })).rejects.toThrow("/nowhere.json could not be read");
  expect((await modelsOf(daemon)).next).toEqual(known);

  await daemon.kill("SIGTERM");
  await daemon.start();
  expect((await modelsOf(daemon)).next).toEqual(known);
  const restarted = daemon.connect().api;
  expect(await restarted.catalog.reset.mutate({})).toEqual({ reset: true });
  expect(await modelsOf(daemon)).toEqual({ next: undefined, shipped: true });
  expect(await restarted.catalog.reset.mutate({})).toEqual({ reset: false });
});

test("a catalog can be loaded from an address", async () => {
  await using daemon = await TestDaemon.start({ env: { ANTHROPIC_API_KEY: "k" } });
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/api.json" ? 200 : 404;
    response.end(catalog(4));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const { api } = daemon.connect();
  const source = `http://127.0.0.1:${port}/api.json`;
  expect(await api.catalog.refresh.mutate({ source })).toMatchObject({ source, models: 1 });
  expect((await modelsOf(daemon)).next?.price).toEqual({ input: 4, output: 9 });
  await expect(api.catalog.refresh.mutate({ source: `${source}x` })).rejects.toThrow("answered with status 404");
  server.close();
});
