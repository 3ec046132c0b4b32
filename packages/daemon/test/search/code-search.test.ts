import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { TestDaemon } from "../support/daemon.ts";
import { LoopbackServer, type Asked } from "../support/loopback-server.ts";
import { ModelServer } from "../support/model-server.ts";
import { script } from "../support/script.ts";

const search = (query: string, folder?: string) => ({
  tool: "codebase_search",
  input: { query, ...(folder === undefined ? {} : { path: folder }) },
});

const shop = {
  "src/cart.ts": "export class ShoppingCart {\n  addItem(item: string) {\n    return item;\n  }\n}\n",
  "src/price.ts": "import { ShoppingCart } from './cart';\nexport const priceOf = (cart: ShoppingCart) => 3;\n",
  ".env": "SHOPPING_CART_KEY=secret\n",
  "build/cart.js": "class ShoppingCart {}\n",
  ".gitignore": "build\n",
};

const write = (daemon: TestDaemon, files: Record<string, string>) => {
  for (const [file, text] of Object.entries(files)) daemon.write(file, text);
};

test("codebase_search shows the best parts of files that the session may read, and no others", async () => {
  await using daemon = await TestDaemon.start({
    config: { permissions: { read: { "*": "allow", "src/hidden/**": "deny" }, external_directory: "allow" } },
  });
  write(daemon, { ...shop, "src/hidden/cart.ts": "export class ShoppingCart {}\n" });
  symlinkSync("/etc", path.join(daemon.workspace, "cart"));
  symlinkSync(".", path.join(daemon.workspace, "src/loop"));
  const calls = [search("add an item to the shopping cart"), search("zebra"), search("cart", "src/price.ts"), search("cart", "..")];
  const session = await daemon.session({ model: script(daemon, [{ calls }, { text: "Done." }]) });
  await session.runTurn("go");
  const [found, nothing, below, outside] = session.finished.map(({ result }) => result);
  expect(found?.text.split("\n").slice(0, 4)).toEqual([
    "src/cart.ts:1-2 in class ShoppingCart",
    "  1: export class ShoppingCart {",
    "  2:   addItem(item: string) {",
    expect.stringContaining(":"),
  ]);
  expect(found?.view).toMatchObject({
    type: "files",
    files: [{ path: "src/cart.ts", line: 1 }, { path: "src/price.ts" }, { path: "src/price.ts" }],
  });
  expect(found?.text).toContain("src/price.ts");
  for (const hidden of [".env", "secret", "hidden", "build", "/etc", "loop"]) expect(found?.text).not.toContain(hidden);
  expect(nothing?.text).toBe("No file that you may read has these words. Try others.");
  expect(below?.text).toMatch(/^src\/price\.ts:1/);
  expect(below?.text).not.toContain("src/cart.ts");
  expect(outside?.outcome).toBe("failed");
  expect(outside?.text).toContain("outside of the workspace");
});

test("two sessions in one folder search at once, each by the rules of its mode, and the index survives kills of daemon and process", async () => {
  const limited = { name: "Limited", roleDefinition: "You read.", groups: ["read"], disallowedFilePaths: ["src/cart.ts"] };
  await using daemon = await TestDaemon.start();
  write(daemon, { ...shop, ".roomodes": JSON.stringify({ customModes: [{ slug: "limited", ...limited }] }) });
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const model = () => script(daemon, [{ calls: [search("shopping cart")] }, { text: "Done." }]);
  for (let life = 0; life < 2; life++) {
    const sessions = [await daemon.session({ model: model() }), await daemon.session({ model: model(), mode: "limited" })] as const;
    await Promise.all(sessions.map((session) => session.prompt("go")));
    await Promise.all(sessions.map((session) => session.untilEnd()));
    const [free, bound] = sessions.map(({ finished }) => finished[0]?.result.text);
    expect(free).toContain("src/cart.ts");
    expect(bound).not.toContain("src/cart.ts:");
    expect(bound).not.toContain("omitted"); // a number would tell whether the file has these words
    expect(readdirSync(path.join(daemon.home, "code-index"))).toHaveLength(1);
    await daemon.kill("SIGKILL");
    if (life === 0) await daemon.start();
  }
});

test("the tool is withheld where the setting is off, and nothing is indexed", async () => {
  await using daemon = await TestDaemon.start({ config: { codebaseIndex: false } });
  write(daemon, many());
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const { withheld } = await api.daemon.tools.query({ cwd: daemon.workspace, mode: "code" });
  expect(withheld.find(({ name }) => name === "codebase_search")?.reason).toBe("the setting codebaseIndex is off");
  const session = await daemon.session({ model: script(daemon, [{ text: "Done." }]) });
  await session.runTurn("zebra");
  expect(existsSync(path.join(daemon.home, "code-index"))).toBe(false);
});

/** As many files as a folder with a map has. */
const many = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`src/part${i}.ts`, `export const ${i === 77 ? "zebra" : "part"}${i} = 1;\n`]));

async function openMapped(config: object = {}) {
  const model = await ModelServer.start({ replies: Array.from({ length: 20 }, (_, i) => ({ text: `answer ${i}` })) });
  const daemon = await TestDaemon.start({
    config: { ...model.config, ...config },
  });
  write(daemon, many());
  const { api } = daemon.connect();
  const trust = () => api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const system = (nth: number) => String(model.requests.at(nth)?.messages[0]?.content);
  return { model, daemon, trust, system };
}

const TITLE = "# Map of the repository";

test("the map in the prompt names the files that matter for the first prompt, and stays the same until a compaction", async () => {
  const { model, daemon, trust, system } = await openMapped();
  await using _model = model;
  await using _daemon = daemon;
  await trust();
  const warm = await daemon.session();
  await warm.runTurn("zebra");
  const session = await daemon.session();
  await session.runTurn(`Where is zebra77? ${"So many words. ".repeat(400)}`);
  const first = system(-1);
  expect(first).toContain(`${TITLE}\n`);
  expect(first).toContain("part77.ts: zebra77");
  daemon.write("src/part77.ts", "export const tiger77 = 1;\n");
  for (const turn of [2, 3, 4]) {
    await session.prompt(`And the tiger77? ${"So many words. ".repeat(400)}`);
    await session.untilEnd(turn);
    expect(system(-1)).toBe(first);
  }
  await session.wish({ type: "compact" });
  await session.until("the compaction", ({ events }) => events.some(({ type }) => type === "context.compacted"));
  await session.runTurn("And the tiger77?", 5);
  expect(system(-1)).toContain("part77.ts: tiger77");
});

test.each([
  ["the setting is 0", { repositoryMap: 0 }, true, 0],
  ["the folder is not trusted", {}, false, 0],
  ["the folder has few files", {}, true, 60],
])("there is no map if %s", async (_, config, trusted, removed) => {
  const { model, daemon, trust, system } = await openMapped(config);
  await using _model = model;
  await using _daemon = daemon;
  for (let i = 0; i < removed; i++) rmSync(path.join(daemon.workspace, `src/part${i}.ts`));
  if (trusted) await trust();
  const session = await daemon.session();
  await session.runTurn("zebra");
  expect(model.requests.length).toBeGreaterThan(0);
  expect(system(-1)).not.toContain(TITLE);
  expect(existsSync(path.join(daemon.home, "code-index"))).toBe(false);
});

/** An embedding model whose vectors count words about money and about carts. From the second request on it answers with faults. */
class EmbeddingServer extends LoopbackServer {
  readonly texts: string[] = [];
  readonly faults: ((response: ServerResponse) => void)[] = [
    (response) => void response.writeHead(401).end("no"),
    (response) => void response.end(JSON.stringify({ object: "list", data: [], model: "words" })),
    (response) => void response.end("x".repeat(40_000_000)),
  ];
  #asked = 0;

  static start(): Promise<EmbeddingServer> {
    return new EmbeddingServer().listening();
  }

  protected answer({ body }: Asked, response: ServerResponse): void {
    const { input } = z.object({ input: z.array(z.string()) }).parse(JSON.parse(body));
    this.texts.push(...input);
    const fault = this.faults[this.#asked++ - 1];
    response.setHeader("content-type", "application/json");
    if (fault) return fault(response);
    const count = (text: string, words: RegExp) => (text.match(words) ?? []).length;
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: [count(text, /price|cost/g), 0.1] }));
    response.end(JSON.stringify({ object: "list", data, model: "words", usage: { prompt_tokens: 1, total_tokens: 1 } }));
    return undefined;
  }
}

test("an embedding model orders the results by meaning, gets only excerpts that the session may read, and its faults harm nothing", async () => {
  await using server = await EmbeddingServer.start();
  await using daemon = await TestDaemon.start({
    config: {
      embeddingModel: "local/words",
      providers: { local: { kind: "openai-compatible", baseUrl: `${server.url}/v1` } },
      permissions: { read: { "*": "allow", "src/hidden/**": "deny" } },
    },
  });
  write(daemon, { ...shop, "src/hidden/cost.ts": "export class ShoppingCart {}\n" });
  const questions = ["what does the shopping cart cost", "shopping cart item", "the cart", "cart with an item"];
  const session = await daemon.session({
    model: script(daemon, [...questions.map((question) => ({ calls: [search(question)] })), { text: "Done." }]),
  });
  await session.runTurn("go");
  const texts = session.finished.map(({ result }) => `${result.outcome}: ${result.text}`);
  expect(texts[0]).toMatch(/^ok: src\/price\.ts/);
  expect(texts[0]).not.toContain("local/words");
  for (const text of texts) expect(text).toMatch(/^ok: [\s\S]*src\/cart\.ts/);
  for (const text of texts.slice(1)) expect(text).toContain("The embedding model local/words could not order the results");
  expect(server.texts).toContain(questions[0]);
  expect(JSON.stringify(server.texts)).not.toMatch(/secret|hidden|build/);
});
