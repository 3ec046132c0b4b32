import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { TestDaemon } from "./support/daemon.ts";
import { ModelServer } from "./support/model-server.ts";
import { script } from "./support/script.ts";

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
  await session.prompt("go");
  await session.untilEnd();
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
  expect(nothing?.text).toBe("No file has these words. Try others.");
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
    expect(bound).toContain("(1 file without read permission omitted)");
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
  await session.prompt("zebra");
  await session.untilEnd();
  expect(existsSync(path.join(daemon.home, "code-index"))).toBe(false);
});

/** As many files as a folder with a map has. */
const many = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`src/part${i}.ts`, `export const ${i === 77 ? "zebra" : "part"}${i} = 1;\n`]));

async function openMapped(config: object = {}) {
  const model = await ModelServer.start({ replies: Array.from({ length: 20 }, (_, i) => ({ text: `answer ${i}` })) });
  const daemon = await TestDaemon.start({
    config: { model: "local/m", providers: { local: { kind: "openai-compatible", baseUrl: model.url } }, ...config },
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
  await warm.prompt("zebra");
  await warm.untilEnd();
  const session = await daemon.session();
  await session.prompt(`Where is zebra77? ${"So many words. ".repeat(400)}`);
  await session.untilEnd();
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
  await session.prompt("And the tiger77?");
  await session.untilEnd(5);
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
  await session.prompt("zebra");
  await session.untilEnd();
  expect(model.requests.length).toBeGreaterThan(0);
  expect(system(-1)).not.toContain(TITLE);
  expect(existsSync(path.join(daemon.home, "code-index"))).toBe(false);
});
