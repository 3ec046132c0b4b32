import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { ListingPolicy } from "@baton/core/protocol/toolset/toolset-profile";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { streamTo } from "../support/mcp/mcp-stream.ts";

const fixture = fileURLToPath(new URL("../conformance/fixture.ts", import.meta.url));
const server = { command: process.execPath, args: [fixture] };
const may = (action: string, resource = "*", effect = "allow") => ({ action, resource, effect });

/** For events at an unknown time, even on a busy machine. */
const PATIENT = { timeout: 20_000 };

const open = (permissions: object[] = [may("mcp"), may("configure")], servers: object = { one: server, two: server }) =>
  TestDaemon.start({ config: { mcpServers: servers, permissions } });

type Way = "http" | "stream";
type Era = "auto" | "legacy";
type Listing = { policy: ListingPolicy; server?: string };

/** A client that supports every kind of question, and records its messages. */
class Guest implements AsyncDisposable {
  readonly heard: string[] = [];
  readonly asked: string[] = [];
  readonly client: Client;

  constructor(era: Era, capabilities: object = { sampling: {}, elicitation: { form: {} }, roots: {} }) {
    const listening = (what: string) => ({ autoRefresh: false, debounceMs: 0, onChanged: () => void this.heard.push(what) });
    this.client = new Client(
      { name: "guest", version: "1" },
      {
        capabilities,
        versionNegotiation: { mode: era },
        listChanged: { tools: listening("tools"), resources: listening("resources"), prompts: listening("prompts") },
      },
    );
    this.client.setNotificationHandler("notifications/resources/updated", ({ params }) => void this.heard.push(`updated ${params.uri}`));
    this.client.setNotificationHandler("notifications/message", ({ params }) => void this.heard.push(`log ${String(params.data)}`));
    if ("elicitation" in capabilities)
      this.client.setRequestHandler("elicitation/create", ({ params }) => {
        this.asked.push(params.message);
        return { action: "accept", content: { name: "Ada", color: "blue", ok: true, context: "a test" } };
      });
    if ("sampling" in capabilities)
      this.client.setRequestHandler("sampling/createMessage", () => {
        this.asked.push("sampling");
        return { role: "assistant", model: "m", content: { type: "text", text: "Paris" } };
      });
    if ("roots" in capabilities)
      this.client.setRequestHandler("roots/list", () => {
        this.asked.push("roots");
        return { roots: [{ uri: "file:///of-the-guest" }] };
      });
  }

  static async enter(daemon: TestDaemon, listing: Listing, era: Era = "auto", way: Way = "http", capabilities?: object): Promise<Guest> {
    const guest = new Guest(era, capabilities);
    await guest.client.connect(await wayIn(daemon, listing, way));
    return guest;
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<string> {
    return JSON.stringify(await this.client.callTool({ name, arguments: input }));
  }

  async read(uri: string): Promise<string> {
    return JSON.stringify(await this.client.readResource({ uri }, { cacheMode: "bypass" }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

async function wayIn(daemon: TestDaemon, listing: Listing, way: Way): Promise<Transport> {
  const { api } = daemon.connect();
  const opening = { cwd: daemon.workspace, profile: "guest", ...listing };
  if (way === "stream") {
    await api.mcp.prepareProfile.mutate(opening);
    return streamTo(daemon, "guest");
  }
  const { url, token } = await api.mcp.openEndpoint.mutate(opening);
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}

const flat: Listing = { policy: "flat" };
const proxy: Listing = { policy: "proxy", server: "one" };
const equip = (guest: Guest, name: string, ...tools: string[]) => guest.call("build-toolset", { name, tools, autoEquip: true });

/** A push tries each transport and each version of the protocol once. A night tries them in all pairs. */
const pairs = (["http", "stream"] as const)
  .flatMap((way) => (["auto", "legacy"] as const).map((era) => [way, era] as const))
  .filter(([way, era]) => Boolean(process.env["BATON_EVERY_PAIR"]) || (way === "http") === (era === "auto"));

test.each(pairs)("resources and prompts of the equipped servers are lent under unique names (%s, %s)", async (way, era) => {
  await using daemon = await open();
  await using guest = await Guest.enter(daemon, flat, era, way);
  const { client } = guest;
  const uris = async () => (await client.listResources({}, { cacheMode: "refresh" })).resources.map(({ uri }) => uri);
  const prompts = async () => (await client.listPrompts({}, { cacheMode: "refresh" })).prompts.map(({ name }) => name);
  expect(await uris()).toEqual([]);
  expect(await prompts()).toEqual([]);
  await equip(guest, "first", "one__test_simple_text");
  await expect.poll(() => guest.heard, PATIENT).toEqual(expect.arrayContaining(["resources", "prompts", "tools"]));
  expect(await uris()).toEqual(["static-text", "static-binary", "watched-resource"].map((name) => `baton:one:test://${name}`));
  expect(await prompts()).toContain("one__test_simple_prompt");

  await equip(guest, "both", "one__test_simple_text", "two__test_embedded_resource");
  const all = await uris();
  expect(all).toHaveLength(6);
  expect(new Set([...all, ...(await prompts())]).size).toBe(6 + 10);
  for (const name of ["one", "two"]) {
    expect(JSON.parse(await guest.read(`baton:${name}:test://static-text`))).toMatchObject({
      contents: [{ uri: `baton:${name}:test://static-text`, text: "This is the content of the static text resource." }],
    });
    expect(await guest.read(`baton:${name}:test://template/7/data`)).toContain("Data for ID: 7");
    const { messages } = await client.getPrompt({
      name: `${name}__test_prompt_with_embedded_resource`,
      arguments: { resourceUri: "test://x" },
    });
    expect(messages[0]?.content).toMatchObject({ type: "resource", resource: { uri: `baton:${name}:test://x` } });
  }
  const { resourceTemplates } = await client.listResourceTemplates({}, { cacheMode: "refresh" });
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
    ["one", "two"].map((name) => `baton:${name}:test://template/{id}/data`),
  );
  expect(await guest.call("two__test_embedded_resource")).toContain("baton:two:test://embedded-resource");
  const complete = async (ref: object, name: string, value: string) =>
    (await client.complete({ ref: ref as never, argument: { name, value } })).completion.values;
  expect(await complete({ type: "ref/prompt", name: "two__test_prompt_with_arguments" }, "arg1", "par")).toEqual([
    "paris",
    "park",
    "party",
  ]);
  expect(await complete({ type: "ref/resource", uri: "baton:one:test://template/{id}/data" }, "id", "12")).toEqual(["123", "124"]);

  for (const uri of ["baton:one:test://nothing", "baton:three:test://static-text", "test://static-text", "baton:", "baton:one:"])
    await expect(guest.read(uri)).rejects.toMatchObject({ code: -32_602, data: { uri } });
  await expect(client.getPrompt({ name: "test_simple_prompt" })).rejects.toMatchObject({ code: -32_602 });
});

test.each(pairs)("one server is lent unchanged, with its questions, its progress, its log and its changes (%s, %s)", async (way, era) => {
  await using daemon = await open();
  await using guest = await Guest.enter(daemon, proxy, era, way);
  const { client } = guest;
  const names = async () => (await client.listTools({}, { cacheMode: "refresh" })).tools.map(({ name }) => name);
  expect(await names()).toEqual(expect.arrayContaining(["test_simple_text", "test_trigger_tool_change"]));
  expect((await names()).filter((name) => name.includes("toolset") || name.includes("__"))).toEqual([]);
  expect((await client.listResources({}, { cacheMode: "refresh" })).resources[0]?.uri).toBe("test://static-text");
  expect(await guest.read("test://static-text")).toContain("static text resource");
  expect((await client.getPrompt({ name: "test_simple_prompt" })).messages).toHaveLength(1);
  expect(await guest.call("test_embedded_resource")).toContain('"test://embedded-resource"');
  await expect(guest.call("one__test_simple_text")).rejects.toMatchObject({ code: -32_602 });

  expect(await guest.call("test_input_required_result_multi_round")).toContain("Both steps are done.");
  expect(await guest.call("test_input_required_result_multiple_inputs")).toContain("All answered.");
  expect(await guest.call("test_input_required_result_list_roots")).toContain("file:///of-the-guest");
  expect(JSON.stringify(await client.getPrompt({ name: "test_input_required_result_prompt" }))).toContain("The context is: a test");
  expect(guest.asked.toSorted()).toEqual(
    [
      "Step 1: What is your name?",
      "Step 2: What is your favorite color?",
      "What context should the prompt use?",
      "What is your name?",
      "roots",
      "roots",
      "sampling",
    ].toSorted(),
  );
  expect(await daemon.connect().api.request.list.query()).toEqual([]);

  const steps: number[] = [];
  await client.callTool({ name: "test_tool_with_progress" }, { onprogress: ({ progress }) => steps.push(progress) });
  expect(steps).toEqual([0, 50, 100]);
  for (const what of ["resource", "prompt", "tool"] as const) {
    await guest.call(`test_trigger_${what}_change`);
    await expect.poll(() => guest.heard, PATIENT).toContain(`${what}s`);
  }
  expect(await names()).toContain("test_extra_tool");
  expect((await client.listPrompts({}, { cacheMode: "refresh" })).prompts.map(({ name }) => name)).toContain("test_extra_prompt");
});

test.each(pairs)("a client is notified of a resource that it watches, and of no other (%s, %s)", async (way, era) => {
  await using daemon = await open();
  await using guest = await Guest.enter(daemon, proxy, era, way);
  const { client } = guest;
  const updates = () => guest.heard.filter((line) => line.startsWith("updated"));
  const watch = async (uri: string) => {
    if (era === "auto") return client.listen({ resourceSubscriptions: [uri] });
    await client.subscribeResource({ uri });
    await client.subscribeResource({ uri });
    return { close: () => client.unsubscribeResource({ uri }) };
  };
  const other = await watch("test://static-text");
  const watched = await watch("test://watched-resource");
  await guest.call("test_trigger_update");
  await expect.poll(updates, PATIENT).toEqual(["updated test://watched-resource"]);
  await other.close();
  await guest.call("test_trigger_update");
  await expect.poll(updates, PATIENT).toHaveLength(2);

  for (const round of [1, 2]) {
    await guest.call("test_trigger_end").catch(() => undefined); // the server is started again with the watched resources
    await expect.poll(() => guest.read("test://watched-resource").catch(() => ""), PATIENT).toContain("Watch this.");
    await expect
      .poll(async () => {
        await guest.call("test_trigger_update");
        return updates().length;
      }, PATIENT)
      .toBeGreaterThan(1 + round);
  }

  await watched.close();
  const before = updates().length;
  guest.heard.length = 0;
  await guest.call("test_trigger_update");
  await guest.call("test_trigger_resource_change"); // a later message arrives, so this one would have arrived too
  await expect.poll(() => guest.heard, PATIENT).toContain("resources");
  expect(updates()).toEqual([]);
  expect(before).toBeGreaterThan(3);
});

test("messages of a server's log reach only the client that asked for them", async () => {
  await using daemon = await open();
  await using guest = await Guest.enter(daemon, proxy);
  const logged = () => guest.heard.filter((line) => line.startsWith("log "));
  await guest.client.callTool({ name: "test_tool_with_logging" });
  expect(logged()).toEqual([]);
  for (const [level, count] of [
    ["info", 3],
    ["error", 3],
    ["debug", 6],
  ] as const) {
    await guest.client.callTool({ name: "test_tool_with_logging", _meta: { "io.modelcontextprotocol/logLevel": level } });
    await expect.poll(logged, PATIENT).toHaveLength(count);
  }
});

test.each(["http", "stream"] as const)("a client of the older protocol gets a server's log until it sets a level (%s)", async (way) => {
  await using daemon = await open();
  await using guest = await Guest.enter(daemon, proxy, "legacy", way);
  const { client } = guest;
  const logged = () => guest.heard.filter((line) => line.startsWith("log ")).length;
  await client.callTool({ name: "test_tool_with_logging" });
  await expect.poll(logged, PATIENT).toBe(3);
  await client.setLoggingLevel("error");
  await client.callTool({ name: "test_tool_with_logging" });
  await client.setLoggingLevel("info");
  await client.callTool({ name: "test_tool_with_logging" });
  await expect.poll(logged, PATIENT).toBe(6);
});

test("a server can ask only for what the client supports", async () => {
  await using daemon = await open();
  await using guest = await Guest.enter(daemon, proxy, "auto", "http", { sampling: {} });
  await expect(guest.call("test_input_required_result_elicitation")).rejects.toMatchObject({ code: -32_021 });
  await guest.call("test_input_required_result_capabilities");
  expect(guest.asked).toEqual(["sampling"]);
});

test("under another policy the user answers a server's questions in the inbox, even while a prompt is loaded", async () => {
  await using daemon = await open();
  await using guest = await Guest.enter(daemon, flat);
  await equip(guest, "first", "one__test_input_required_result_elicitation");
  const { api } = daemon.connect();
  const answer = async (fields: Record<string, unknown>) => {
    await expect.poll(async () => (await api.request.list.query()).length, PATIENT).toBe(1);
    const [request] = await api.request.list.query();
    expect(request).toMatchObject({ kind: "form", header: "one asks for something" });
    await api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: request?.id ?? "", answer: { choice: "accept", fields } });
  };
  const calling = guest.call("one__test_input_required_result_elicitation");
  await answer({ name: "Grace" });
  expect(await calling).toContain("Hello, Grace!");
  const getting = guest.client.getPrompt({ name: "one__test_input_required_result_prompt" });
  await answer({ context: "the inbox" });
  expect(JSON.stringify(await getting)).toContain("The context is: the inbox");
  expect(guest.asked).toEqual([]);
});

const ways = [
  ["read_resource", "test://static-text", (guest: Guest) => guest.read("test://static-text")],
  [
    "get_prompt",
    "test_simple_prompt",
    async (guest: Guest) => JSON.stringify(await guest.client.getPrompt({ name: "test_simple_prompt" })),
  ],
] as const;

test.each(ways)(
  "%s is judged as a call: it asks by its name, can be refused, and a rule that denies it applies",
  async (name, what, get) => {
    const resource = `one__${name}`;
    await using daemon = await open([may("configure")]);
    await using guest = await Guest.enter(daemon, proxy);
    const { api } = daemon.connect();
    for (const choice of ["once", "deny"]) {
      const getting = get(guest).then(
        () => "got",
        (error: Error) => error.message,
      );
      await expect.poll(async () => (await api.request.list.query()).length, PATIENT).toBe(1);
      const [request] = await api.request.list.query();
      expect(request).toMatchObject({ tool: name });
      expect(JSON.stringify(request)).toContain(resource);
      expect(JSON.stringify(request)).toContain(what);
      await api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: request?.id ?? "", answer: { choice } });
      expect((await getting) === "got").toBe(choice === "once");
    }

    await using denying = await open([may("configure"), may("mcp"), may("mcp", resource, "deny")]);
    await using other = await Guest.enter(denying, proxy);
    await expect(get(other)).rejects.toThrow(resource);
    for (const [, , getOther] of ways.filter(([each]) => each !== name)) expect(await getOther(other)).toContain("text");
  },
);

const unwatched = {
  legacy: ({ client }: Guest, uri: string) => client.subscribeResource({ uri }).then(String, (error: Error) => error.message),
  auto: async ({ client }: Guest, uri: string) => JSON.stringify((await client.listen({ resourceSubscriptions: [uri] })).honoredFilter),
};

test.each([
  ["auto", /^\{\}$/],
  ["legacy", /rules do not allow/],
] as const)(
  "without a request, Baton sends a server only what the rules allow, and neither completions nor subscriptions (%s)",
  async (era, message) => {
    await using daemon = await open([may("configure")]);
    await using guest = await Guest.enter(daemon, proxy, era);
    const ref = { type: "ref/prompt", name: "test_prompt_with_arguments" } as const;
    expect((await guest.client.complete({ ref, argument: { name: "arg1", value: "par" } })).completion.values).toEqual([]);
    expect(await unwatched[era](guest, "test://watched-resource")).toMatch(message);
    expect(await daemon.connect().api.request.list.query()).toEqual([]);
  },
);

test("a proxy needs an existing server, and only a proxy takes one", async () => {
  await using daemon = await open();
  const { api } = daemon.connect();
  const prepare = (listing: object) => api.mcp.prepareProfile.mutate({ cwd: daemon.workspace, profile: "guest", ...flat, ...listing });
  await expect(prepare({ policy: "proxy" })).rejects.toThrow(/Name one of: one, two/);
  await expect(prepare({ policy: "proxy", server: "three" })).rejects.toThrow(/no MCP server three/);
  for (const policy of ["dual", "flat", "search"])
    await expect(prepare({ policy, server: "one" })).rejects.toThrow(/Only proxy takes a server/);
});

test("a proxy's choice of server survives the daemon, and clients are notified of a change", async () => {
  await using daemon = await open(undefined, { one: server, two: { ...server, args: [fixture, "two"] } });
  {
    await using guest = await Guest.enter(daemon, proxy, "auto", "stream");
    expect(await guest.read("test://static-text")).toContain("static text");
  }
  await daemon.kill();
  await daemon.start();
  const again = new Guest("auto");
  await again.client.connect(await streamTo(daemon, "guest"));
  expect(await again.read("test://static-text")).toContain("static text");
  await daemon.connect().api.mcp.prepareProfile.mutate({ cwd: daemon.workspace, profile: "guest", ...flat });
  await expect.poll(() => again.heard, PATIENT).toEqual(expect.arrayContaining(["resources", "prompts", "tools"]));
  await expect(again.read("test://static-text")).rejects.toMatchObject({ code: -32_602 });
  await again.client.close();
});
