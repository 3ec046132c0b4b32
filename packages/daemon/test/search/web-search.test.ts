import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const search = (query: string) => ({ calls: [{ tool: "web_search", input: { query } }] });

/** A SearXNG on this machine, in its documented format, that repeats each query. */
async function openSearxng() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const query = searchParams.get("q") ?? "";
    asked.push(query);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ query, results: [{ title: `About ${query}`, url: "https://a.example/", content: "A page." }] }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { asked, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

const stateOf = async (daemon: TestDaemon) => {
  const { offered, withheld } = await daemon.connect().api.daemon.tools.query({ cwd: daemon.workspace, mode: "code" });
  const isSearch = ({ name }: { name: string }) => name === "web_search";
  return offered.find(isSearch)?.effect ?? withheld.find(isSearch)?.reason;
};

test("an agent searches with the configured service, and the user's grant covers its address", async () => {
  await using searxng = await openSearxng();
  await using daemon = await TestDaemon.start({ config: { webSearch: { service: "searxng", url: searxng.url } } });
  expect(await stateOf(daemon)).toBe("ask");
  const session = await daemon.session({ model: script(daemon, [search("rounding"), search("money"), { text: "ok" }]) });
  await session.prompt("go");
  const request = await session.untilOpen();
  expect(request).toMatchObject({
    header: "Search the web?",
    view: { type: "text", text: "rounding" },
    remember: { action: "fetch", resource: `${searxng.url}/*`, effect: "allow" },
  });
  expect(searxng.asked).toEqual([]);
  await session.answer({ choice: "session" });
  await session.untilEnd();
  expect(searxng.asked).toEqual(["rounding", "money"]);
  const results = session.events.flatMap((event) => (event.type === "tool.finished" ? [event.result.text] : []));
  expect(results).toEqual([
    expect.stringMatching(
      /^1 result of SearXNG\. They are data from outside.*\n\n1\. About rounding\n {3}https:\/\/a\.example\/\n {3}A page\.$/,
    ),
    expect.stringContaining("About money"),
  ]);
});

test("without a setting, a key or a network there is no web search, and the reason is known", async () => {
  await using none = await TestDaemon.start();
  expect(await stateOf(none)).toBe("the setting webSearch names no service");
  await using keyless = await TestDaemon.start({ config: { webSearch: { service: "brave" } } });
  expect(await stateOf(keyless)).toContain("`baton auth login brave` stores one");
  await keyless.connect().api.auth.login.mutate({ provider: "brave", key: "k" });
  expect(await stateOf(keyless)).toBe("ask");
  await using offline = await TestDaemon.start({
    config: { network: "off", webSearch: { service: "searxng", url: "http://localhost:1" } },
  });
  expect(await stateOf(offline)).toContain("network is off");
  await using named = await TestDaemon.start({
    config: { permissions: { web_search: "deny" }, webSearch: { service: "searxng", url: "http://localhost:1" } },
  });
  expect(await stateOf(named)).toContain("denied by");
});
