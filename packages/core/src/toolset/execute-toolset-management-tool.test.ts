import { expect, test } from "vitest";
import type { ListingPolicy, Toolset } from "../protocol/toolset/toolset-profile.ts";
import { executeToolsetManagementTool } from "./execute-toolset-management-tool.ts";
import type { ToolCatalog, CatalogTool } from "./tool-catalog.ts";
import { isToolsetTool, toolsetTools, type ToolsetTool } from "./toolset-inputs.ts";
import type { FailureCode } from "./toolset-tool-failure.ts";
import { listingKey, exposedTools } from "./exposed-tools.ts";
import { newToolsetState, reduceToolset, type ToolsetState } from "./toolset-selection-state.ts";

const tool = (name: string, more: Partial<CatalogTool> = {}): CatalogTool => ({
  name,
  server: name.split("__")[0] ?? "",
  tool: name.split("__")[1] ?? "",
  description: `Does ${name}.`,
  hints: {},
  refId: `hash-${name}`,
  tokens: 10,
  ...more,
});

const catalog: ToolCatalog = {
  tools: [tool("files__read"), tool("files__write"), tool("web__get", { hints: { title: "Get a page" } })],
  servers: [
    { name: "files", status: "available" },
    { name: "web", status: "available" },
    { name: "gone", status: "unavailable", error: "it ended with exit code 3" },
    { name: "off", status: "disabled" },
  ],
};

/** A toolset state that tool calls change, as in a profile. */
class Driven {
  standing: ToolsetState;
  catalog = catalog;
  notices = 0;
  constructor(policy: ListingPolicy = "dual") {
    this.standing = newToolsetState(policy);
  }
  call(name: ToolsetTool, input: unknown = {}): Record<string, unknown> {
    const acted = executeToolsetManagementTool(name, input, this.standing, this.catalog, 1_000);
    if (!acted.ok) return { ...acted };
    const folded = JSON.stringify(acted.events.reduce(reduceToolset, this.standing));
    if (folded !== JSON.stringify(acted.after)) throw new Error(`${name} answers for another standing than its events lead to`);
    this.notices += acted.events.filter(({ type }) => type === "tools.changed").length;
    this.standing = acted.after;
    return acted.answer;
  }
  get listed(): string[] {
    const { configuration, search, chosen } = exposedTools(this.standing, this.catalog);
    return [...chosen.map((each) => each.tool.name), ...search, ...configuration];
  }
  with(...tools: string[]): this {
    this.call("build-toolset", { name: "dev", tools: tools.map((namespacedName) => ({ namespacedName })), autoEquip: true });
    return this;
  }
}

test("a new profile is in configuration mode, equipping leaves it, and unequipping returns to it", () => {
  const driven = new Driven();
  expect(driven.listed).toEqual(toolsetTools.filter((name) => name !== "enter-configuration-mode"));
  expect(driven.call("build-toolset", { name: "dev", tools: [{ refId: "hash-files__read" }] })).toMatchObject({
    ok: true,
    equipped: false,
    mode: "configuration",
    revision: 1,
  });
  expect(driven.notices).toBe(0);
  expect(driven.call("equip-toolset", { name: "dev" })).toMatchObject({
    mode: "normal",
    changed: true,
    added: ["files__read"],
    removed: [],
    tokens: 10,
    revision: 4,
    availableTools: ["files__read", "enter-configuration-mode"],
  });
  expect(driven.notices).toBe(1);
  expect(driven.listed).toEqual(["files__read", "enter-configuration-mode"]);
  expect(driven.call("equip-toolset", { name: "dev" })).toMatchObject({ changed: false, revision: 4 });
  expect(driven.call("unequip-toolset")).toMatchObject({ changed: true, previous: "dev", mode: "configuration" });
  expect(driven.call("unequip-toolset")).toMatchObject({ changed: false, previous: null });
  expect(driven.notices).toBe(2);
  expect(driven.listed).not.toContain("files__read");
});

test("entering and leaving twice changes the state once, and the callable tools are named", () => {
  const driven = new Driven().with("files__read", "files__write");
  const { notices } = driven;
  expect(driven.call("enter-configuration-mode")).toMatchObject({ mode: "configuration", changed: true, toolset: "dev" });
  expect(driven.call("enter-configuration-mode")).toMatchObject({ changed: false });
  expect(driven.listed).not.toContain("files__read");
  expect(driven.call("exit-configuration-mode")).toMatchObject({
    mode: "normal",
    changed: true,
    availableTools: ["files__read", "files__write", "enter-configuration-mode"],
  });
  expect(driven.call("exit-configuration-mode")).toMatchObject({ changed: false });
  expect(driven.notices).toBe(notices + 2);
});

test("leaving with nothing equipped succeeds, names the tool that enters again, and warns", () => {
  const driven = new Driven();
  const answer = driven.call("exit-configuration-mode");
  expect(answer).toMatchObject({ ok: true, mode: "normal", toolset: null, availableTools: ["enter-configuration-mode"] });
  expect(answer["warning"]).toContain("enter-configuration-mode");
});

test("leaving names what is missing", () => {
  const driven = new Driven().with("files__read", "web__get");
  driven.call("enter-configuration-mode");
  driven.catalog = { ...catalog, tools: catalog.tools.slice(0, 2) };
  expect(driven.call("exit-configuration-mode")).toMatchObject({ missing: ["web__get"] });
});

const refused: [name: string, ToolsetTool, unknown, FailureCode, (RegExp | undefined)?, string[]?][] = [
  ["unknown toolset", "equip-toolset", { name: "def" }, "not_found", /def/, ["dev"]],
  ["unknown toolset to delete", "delete-toolset", { name: "nothing", confirm: true }, "not_found"],
  ["delete without confirm", "delete-toolset", { name: "dev", confirm: false }, "invalid_argument", /confirm: true/],
  ["delete with nothing said", "delete-toolset", { name: "dev" }, "invalid_argument", /pass confirm: true/],
  ...[3, null, true, ["files__read"]].map((ref): (typeof refused)[number] => [
    `the tool ${JSON.stringify(ref)}`,
    "build-toolset",
    { name: "new", tools: [{ namespacedName: "files__read" }, ref] },
    "invalid_argument",
    /tools\.1: name a tool as \{"namespacedName": "server__tool"\}/,
  ]),
  ["a tool without a list", "build-toolset", { name: "new", tools: "files__read" }, "invalid_argument", /pass a list of tools/],
  ["an unknown name as a string", "build-toolset", { name: "new", tools: ["files__reed"] }, "not_found", /files__reed/, ["files__read"]],
  ["name taken", "build-toolset", { name: "dev", tools: [{ namespacedName: "files__read" }] }, "already_exists"],
  [
    "unknown tools, all named",
    "build-toolset",
    { name: "new", tools: [{ namespacedName: "files__reed" }, { refId: "x" }] },
    "not_found",
    /files__reed, x/,
  ],
  ["no tools", "build-toolset", { name: "new", tools: [] }, "invalid_argument"],
  ["a bad name", "build-toolset", { name: "-new", tools: [{ namespacedName: "files__read" }] }, "invalid_argument", /a-z/],
  [
    "a tool by two names",
    "build-toolset",
    { name: "new", tools: [{ namespacedName: "files__read", refId: "x" }] },
    "invalid_argument",
    /exactly one/,
  ],
  ["more than was asked for", "enter-configuration-mode", { force: true }, "invalid_argument", /force/],
  ["a stale revision", "unequip-toolset", { expectedRevision: 1 }, "conflict", /revision/],
  ["unknown server", "list-available-tools", { server: "file" }, "not_found", /file/, ["files"]],
  ["a made-up cursor", "list-available-tools", { cursor: "zzz" }, "invalid_argument"],
  [
    "a note for no tool",
    "add-tool-annotation",
    { toolRef: { namespacedName: "files__none" }, notes: [{ name: "use", note: "x" }] },
    "not_found",
  ],
  [
    "a note for another tool",
    "add-tool-annotation",
    { toolRef: { namespacedName: "web__get" }, notes: [{ name: "use", note: "x" }] },
    "not_in_toolset",
    undefined,
    ["files__read"],
  ],
  [
    "a note without a name",
    "add-tool-annotation",
    { toolRef: { namespacedName: "files__read" }, notes: [{ name: "", note: "x" }] },
    "invalid_argument",
  ],
  [
    "too many notes",
    "add-tool-annotation",
    { toolRef: { namespacedName: "files__read" }, notes: [1, 2, 3, 4, 5].map((n) => ({ name: `note-${n}`, note: "x".repeat(500) })) },
    "limit",
    /2000/,
  ],
];

test("a string names a tool as its object does, by name and by refId", () => {
  const withIds = { ...catalog, tools: catalog.tools.map((tool, i) => ({ ...tool, refId: String(i).repeat(64) })) };
  const refs = withIds.tools.flatMap(({ name, refId }) => [
    [name, { namespacedName: name }],
    [refId, { refId }],
  ]);
  for (const [i, [text, object]] of refs.entries()) {
    const [byText, byObject] = [text, object].map((ref) => {
      const driven = new Driven();
      driven.catalog = withIds;
      return driven.call("build-toolset", { name: `new-${i}`, tools: [ref] });
    });
    expect(byText).toMatchObject({ ok: true });
    expect(byText).toEqual(byObject);
  }
});

test.each(refused)("%s is refused, and nothing changes", (_, name, input, code, message = /./, suggestions) => {
  const driven = new Driven().with("files__read");
  const before = driven.standing;
  const answer = driven.call(name, input);
  expect(answer).toMatchObject({ ok: false, code });
  expect(answer["message"]).toMatch(message);
  expect(answer["suggestions"]).toEqual(suggestions ?? answer["suggestions"]);
  expect(driven.standing).toBe(before);
});

test("notes without a toolset are refused with the existing names", () => {
  const driven = new Driven().with("files__read");
  driven.call("unequip-toolset");
  expect(
    driven.call("add-tool-annotation", { toolRef: { namespacedName: "files__read" }, notes: [{ name: "use", note: "x" }] }),
  ).toMatchObject({ code: "not_equipped", suggestions: ["dev"] });
});

test("duplicate tools count once, however they are named, and are reported", () => {
  const driven = new Driven();
  expect(
    driven.call("build-toolset", {
      name: "dev",
      tools: [
        { namespacedName: "files__read" },
        { refId: "hash-files__read" },
        { namespacedName: "files.read" },
        { namespacedName: "web__get" },
      ],
    }),
  ).toMatchObject({ dropped: ["files__read", "files__read"], toolset: { toolCount: 2 } });
});

test("replace overwrites a toolset, and keeps its notes and its age", () => {
  const driven = new Driven().with("files__read");
  driven.call("add-tool-annotation", { toolRef: { namespacedName: "files__read" }, notes: [{ name: "when", note: "first\u0007" }] });
  expect(
    driven.call("build-toolset", {
      name: "dev",
      tools: [{ namespacedName: "files__read" }, { namespacedName: "files__write" }],
      replace: true,
    }),
  ).toMatchObject({ ok: true, equipped: true });
  expect(driven.standing.equipped?.tools).toEqual([
    { name: "files__read", hash: "hash-files__read", notes: [{ name: "when", note: "first" }] },
    { name: "files__write", hash: "hash-files__write", notes: [] },
  ]);
  expect(driven.listed).toContain("files__write");
});

test("notes are shown after the description, and a repeated name is left out or replaced", () => {
  const driven = new Driven().with("files__read");
  const note = (text: string, replace?: boolean) =>
    driven.call("add-tool-annotation", {
      toolRef: { namespacedName: "files__read" },
      notes: [{ name: "when", note: text }],
      ...(replace ? { replace } : {}),
    });
  expect(note("always")).toMatchObject({ added: ["when"], skipped: [] });
  expect(driven.notices).toBe(2);
  expect(note("never")).toMatchObject({ added: [], skipped: ["when"] });
  expect(note("never", true)).toMatchObject({ replaced: ["when"] });
  expect(note("never", true)).toMatchObject({ replaced: [], skipped: ["when"] });
  expect(driven.notices).toBe(3);
  expect(exposedTools(driven.standing, driven.catalog).chosen[0]?.notes).toEqual(["User note (when): never"]);
});

test("a note changes only notes, in the stored toolset and in an older equipped version of it", () => {
  const driven = new Driven().with("files__read");
  const { equipped } = driven.standing;
  const tools = [{ namespacedName: "files__read" }, { namespacedName: "files__write" }];
  driven.call("build-toolset", { name: "dev", tools, replace: true });
  driven.standing = { ...driven.standing, equipped };
  const note = { toolRef: { namespacedName: "files__read" }, notes: [{ name: "when", note: "always" }] };
  expect(driven.call("add-tool-annotation", note)).toMatchObject({ ok: true, added: ["when"] });
  const notesOf = (toolset: Toolset | null | undefined) => toolset?.tools.map(({ name, notes }) => [name, notes.length]);
  expect(notesOf(driven.standing.toolsets["dev"])).toEqual([
    ["files__read", 1],
    ["files__write", 0],
  ]);
  expect(notesOf(driven.standing.equipped)).toEqual([["files__read", 1]]);

  driven.call("build-toolset", { name: "dev", tools: tools.slice(1), replace: true });
  driven.standing = { ...driven.standing, equipped };
  expect(driven.call("add-tool-annotation", note)).toMatchObject({ code: "not_in_toolset", suggestions: ["files__write"] });
  expect(driven.call("delete-toolset", { name: "dev", confirm: true })).toMatchObject({ ok: true });
  driven.standing = { ...driven.standing, equipped };
  expect(driven.call("add-tool-annotation", note)).toMatchObject({
    code: "not_in_toolset",
    message: expect.stringContaining("deleted") as string,
  });
});

test("a tool that changed after it was chosen is withheld until the user accepts the change", () => {
  const driven = new Driven().with("files__read", "files__write");
  driven.catalog = { ...catalog, tools: [tool("files__read", { refId: "other" }), tool("files__write")] };
  expect(driven.listed).toEqual(["files__write", "enter-configuration-mode"]);
  expect(driven.call("list-saved-toolsets")).toMatchObject({
    toolsets: [{ name: "dev", changed: ["files__read"], missing: [], available: 1, active: true }],
  });
  expect(driven.call("equip-toolset", { name: "dev" })).toMatchObject({ withheld: ["files__read"] });
  expect(driven.call("equip-toolset", { name: "dev", acceptChanges: true })).toMatchObject({ changed: true, withheld: [] });
  expect(driven.listed).toEqual(["files__read", "files__write", "enter-configuration-mode"]);
});

test("a toolset without a usable tool cannot be equipped, but it can be built", () => {
  const driven = new Driven().with("files__read");
  driven.catalog = { ...catalog, tools: [tool("files__read", { refId: "other" })] };
  driven.call("unequip-toolset");
  expect(driven.call("equip-toolset", { name: "dev" })).toMatchObject({ code: "unavailable", suggestions: ["files__read"] });
  driven.catalog = { ...catalog, tools: [] };
  expect(driven.call("equip-toolset", { name: "dev" })).toMatchObject({ code: "unavailable" });
  expect(driven.standing).toMatchObject({ equipped: null, configuring: true });
});

test("deleting the equipped toolset unequips it and returns to configuration mode", () => {
  const driven = new Driven().with("files__read");
  expect(driven.call("delete-toolset", { name: "dev", confirm: true })).toMatchObject({
    deleted: "dev",
    wasActive: true,
    mode: "configuration",
  });
  expect(driven.standing).toMatchObject({ equipped: null, toolsets: {} });
  expect(driven.call("delete-toolset", { name: "dev", confirm: true })).toMatchObject({ code: "not_found" });
});

test("deleting another toolset does not change the equipped one", () => {
  const driven = new Driven().with("files__read");
  driven.call("build-toolset", { name: "other", tools: [{ namespacedName: "web__get" }] });
  const { notices } = driven;
  expect(driven.call("delete-toolset", { name: "other", confirm: true })).toMatchObject({ wasActive: false, mode: "normal" });
  expect(driven.notices).toBe(notices);
});

test("the catalog is listed in pages, and can be narrowed by server and words and shortened", () => {
  const driven = new Driven().with("files__read");
  expect(driven.call("list-available-tools", { limit: 2 })).toMatchObject({
    summary: { tools: 3, servers: 4, tokens: 30 },
    nextCursor: "2",
    servers: [
      { name: "files", status: "available", tools: 2, tokens: 20, percent: 67 },
      { name: "web" },
      { name: "gone", status: "unavailable", error: "it ended with exit code 3", percent: 0 },
      { name: "off", status: "disabled" },
    ],
    tools: [
      { name: "read", namespacedName: "files__read", refId: "hash-files__read", inToolsets: ["dev"] },
      { name: "write", inToolsets: [] },
    ],
  });
  expect(driven.call("list-available-tools", { limit: 2, cursor: "2" })["tools"]).toHaveLength(1);
  expect(driven.call("list-available-tools", { server: "web" })["tools"]).toMatchObject([{ namespacedName: "web__get" }]);
  expect(driven.call("list-available-tools", { query: "WRITE files", detail: "names" })["tools"]).toEqual([
    { name: "write", namespacedName: "files__write", refId: "hash-files__write" },
  ]);
  driven.catalog = { ...catalog, tools: [tool("files__read", { description: "long ".repeat(100) })] };
  const lengthOf = (detail: string) => JSON.stringify(driven.call("list-available-tools", { detail })["tools"]).length;
  expect(lengthOf("full")).toBeGreaterThan(lengthOf("summary"));
});

test("an empty catalog is not an error", () => {
  const driven = new Driven();
  driven.catalog = { tools: [], servers: [{ name: "gone", status: "unavailable" }] };
  expect(driven.call("list-available-tools")).toMatchObject({ ok: true, tools: [], summary: { tools: 0, tokens: 0 } });
  expect(driven.call("get-active-toolset")).toMatchObject({ ok: true, equipped: false, toolset: null });
  expect(driven.call("list-saved-toolsets")).toMatchObject({ ok: true, toolsets: [] });
});

test("the active toolset is listed with its missing tools", () => {
  const driven = new Driven().with("files__read", "files__write", "web__get");
  driven.catalog = { ...catalog, tools: [tool("files__read"), tool("files__write", { refId: "other" })] };
  expect(driven.call("get-active-toolset")).toMatchObject({
    equipped: true,
    toolset: { name: "dev", toolCount: 3, available: 1 },
    exposed: { files: ["files__read"] },
    counts: { exposed: 1, discovered: 2, filtered: 1 },
    servers: { configured: 4, enabled: 3, available: 2, unavailable: [{ name: "gone", reason: "it ended with exit code 3" }] },
    warnings: ["web__get is not available.", "files__write has changed; equip the toolset again with acceptChanges."],
    mode: "normal",
  });
});

test("under flat all tools are listed beside the chosen ones, and under search a search tool replaces them", () => {
  expect(new Driven("flat").with("files__read").listed).toEqual(["files__read", ...toolsetTools]);
  expect(new Driven("search").with("files__read").listed).toEqual(["find-tools", "describe-tool", "call-tool", ...toolsetTools]);
  const flat = new Driven("flat").with("files__read");
  const { notices } = flat;
  flat.call("enter-configuration-mode");
  expect(flat.notices).toBe(notices);
  expect(flat.call("enter-configuration-mode")["availableTools"]).toHaveLength(11);
});

test.each(["dual", "flat", "search"] as const)("calls under %s follow the rules of the toolset state", (policy) => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const inputs = (): unknown =>
    pick<unknown>([
      {},
      { name: pick(["one", "two"]) },
      { name: pick(["one", "two"]), confirm: true },
      {
        name: pick(["one", "two"]),
        tools: [{ namespacedName: pick(["files__read", "files__write", "web__get", "none"]) }],
        autoEquip: random(2) === 0,
        replace: random(2) === 0,
      },
      { toolRef: { namespacedName: pick(["files__read", "web__get"]) }, notes: [{ name: "use", note: String(random(9)) }], replace: true },
      { expectedRevision: random(40) },
    ]);
  const driven = new Driven(policy);
  for (let i = 0; i < 3_000; i++) {
    if (random(10) === 0)
      driven.catalog = {
        ...catalog,
        tools: catalog.tools.filter(() => random(4) > 0).map((each) => ({ ...each, refId: `${each.refId}${random(6) === 0 ? "!" : ""}` })),
      };
    const { standing: before, notices } = driven;
    const key = listingKey(before, driven.catalog);
    const answer = driven.call(pick(toolsetTools), inputs());
    const { standing: after } = driven;
    const isOther = listingKey(after, driven.catalog) !== key;
    const promises = {
      "one notice for each change of what is listed": driven.notices - notices === (isOther ? 1 : 0),
      "a failure changes nothing": answer["ok"] !== false || after === before,
      "a change has a higher revision": after === before || after.revision > before.revision,
      "the answer names the revision": answer["revision"] === undefined || answer["revision"] === after.revision,
      "what says that it changed nothing did not": answer["changed"] !== false || after === before,
      "the answer names the mode": answer["mode"] === undefined || answer["mode"] === (after.configuring ? "configuration" : "normal"),
      "what is equipped is what is kept": !after.equipped || after.toolsets[after.equipped.name] === after.equipped,
    };
    expect(Object.entries(promises).filter(([, holds]) => !holds)).toEqual([]);
  }
});

test("the ten tools have these names", () => {
  expect(toolsetTools).toHaveLength(10);
  expect(isToolsetTool("equip-toolset")).toBe(true);
  expect(isToolsetTool("toString")).toBe(false);
});

test("an event that only a later version knows changes only the revision", () => {
  const before = newToolsetState("flat");
  const strange = { type: "toolset.beamed" } as unknown as Parameters<typeof reduceToolset>[1];
  expect(reduceToolset(before, strange)).toEqual({ ...before, revision: before.revision + 1 });
});
