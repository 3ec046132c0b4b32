import { symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { languageProject } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";
import type { TestDaemon } from "../support/daemon.ts";
import type { TestSession } from "../support/session.ts";

const tsconfig = JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true, types: [] }, include: ["src"] });
const typescript = {
  "package.json": `{ "type": "module" }`,
  "tsconfig.json": tsconfig,
  "src/price.ts": "export function price(amount: number): number {\r\n  return amount * 2;\r\n}\r\n",
  "src/cart.ts": `import { price } from "./price.js";\n\nexport const total = price(3) + price(4); // price\n`,
  "src/bill.ts": `import * as all from "./price.js";\nconst { price: cost } = all;\nexport const bill = { price: cost(1) };\n`,
};
const python = {
  "pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\n",
  "shop/__init__.py": "",
  "shop/price.py": "def price(amount):\n    return amount * 2\n",
  "shop/cart.py": "from shop.price import price\n\nTOTAL = price(3)\n",
};
const rename = (file: string, symbol = "price", new_name = "cost") => ({ tool: "rename_symbol", input: { path: file, symbol, new_name } });
const textsOf = (daemon: TestDaemon, files: object) => Object.keys(files).map((file) => daemon.read(file));

const typescriptAfter = [
  `import * as all from "./price.js";\nconst { cost: cost } = all;\nexport const bill = { price: cost(1) };\n`,
  `import { cost } from "./price.js";\n\nexport const total = cost(3) + cost(4); // price\n`,
  "export function cost(amount: number): number {\r\n  return amount * 2;\r\n}\r\n",
];
const pythonAfter = ["from shop.price import cost\n\nTOTAL = cost(3)\n", "def cost(amount):\n    return amount * 2\n"];

test.each([
  {
    language: "typescript",
    files: typescript,
    file: "src/price.ts",
    changed: ["src/bill.ts", "src/cart.ts", "src/price.ts"],
    after: typescriptAfter,
  },
  { language: "python", files: python, file: "shop/price.py", changed: ["shop/cart.py", "shop/price.py"], after: pythonAfter },
])("a $language symbol is renamed in all files, and an undo restores each byte", async ({ files, file, changed, after }) => {
  await using daemon = await languageProject({ config: { permissions: { edit: "ask" } }, files });
  const before = textsOf(daemon, files);
  const session = await daemon.session({ model: script(daemon, [{ calls: [rename(file)] }, { text: "Done." }]) });
  await session.prompt("go");
  const request = await session.untilOpen();
  const shown = request.view?.type === "text" ? request.view.text : "";
  expect(shown.match(/^change .*$/gm)).toEqual(changed.map((each) => `change ${each}`));
  expect([request.header, textsOf(daemon, files)]).toEqual(["Rename this symbol?", before]);
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(session.finished[0]?.result).toMatchObject({ outcome: "ok", end: `${changed.length} files` });
  expect(session.finished[0]?.result.text).toContain(`Renamed price to cost in ${changed.join(", ")}.\nchange ${changed[0]}`);
  expect(session.events.filter(({ type }) => type === "request.opened")).toHaveLength(1);
  expect(changed.map((each) => daemon.read(each))).toEqual(after);
  await session.wish({ type: "undo", conversation: false });
  await session.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
  expect(textsOf(daemon, files)).toEqual(before);
});

test("a use that is added while the user decides is a part of a second request", async () => {
  await using daemon = await languageProject({ config: { permissions: { edit: "ask" } }, files: typescript });
  const session = await daemon.session({ model: script(daemon, [{ calls: [rename("src/price.ts")] }, { text: "Done." }]) });
  await session.prompt("go");
  const first = await session.untilOpen();
  daemon.write("src/cart.ts", `${typescript["src/cart.ts"]}price(5);\n`);
  await session.answer({ choice: "once" }, first.id);
  await session.until("the second request", ({ state }) => openRequests(state).some(({ id }) => id !== first.id));
  const [second] = openRequests(session.state);
  expect(second?.header).toContain("would now do something else");
  expect(second?.view?.type === "text" && second.view.text).toContain("+cost(5);");
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(daemon.read("src/cart.ts")).toContain("cost(5);\n");
});

test("a renaming sees the edits before it in the same reply", async () => {
  await using daemon = await languageProject({ files: typescript });
  const add = { tool: "write_file", input: { path: "src/more.ts", content: `import { price } from "./price.js";\nprice(1);\n` } };
  const again = { tool: "rename_symbol", input: { path: "src/price.ts", symbol: "cost", new_name: "sum", line: 1 } };
  const session = await daemon.session({ model: script(daemon, [{ calls: [add, rename("src/price.ts"), again] }, { text: "Done." }]) });
  await session.runTurn("go");
  expect(session.finished.map(({ result }) => result.outcome)).toEqual(["ok", "ok", "ok"]);
  expect(daemon.read("src/more.ts")).toBe(`import { sum } from "./price.js";\nsum(1);\n`);
});

const program = fileURLToPath(new URL("../support/language/odd-language-server.ts", import.meta.url));
const server = (manner: string) => ({ odd: { command: [process.execPath, program, manner], extensions: [".odd", ".md"] } });
const three = Object.fromEntries(["a.odd", "b.odd", "c.odd"].map((name) => [name, "old one\n"]));
const newName = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }, newText: "new" };

type Project = { permissions?: object; manner?: string; files?: Record<string, string>; env?: Record<string, string> };

/** A project whose server answers with edits of these files. */
async function oddProject({ permissions = { edit: "allow" }, manner = "renames", files = three }: Project = {}): Promise<TestDaemon> {
  const daemon = await languageProject({ config: { lsp: server(manner), permissions, limits: { steps: 100 } }, files });
  answerWith(daemon, { documentChanges: Object.keys(files).map((file) => editOf(daemon, file)) });
  return daemon;
}

const uriOf = (daemon: TestDaemon, file: string) => pathToFileURL(path.resolve(daemon.workspace, file)).href;
const editOf = (daemon: TestDaemon, file: string, edits: object[] = [newName]) => ({
  textDocument: { uri: uriOf(daemon, file), version: null },
  edits,
});
const answerWith = (daemon: TestDaemon, result: object | null, name = "rename.json") => daemon.write(name, JSON.stringify({ result }));

async function call(daemon: TestDaemon, inputs: { tool: string; input: object }[] = [rename("a.odd", "old", "new")], mode = "code") {
  const session = await daemon.session({ model: script(daemon, [{ calls: inputs }, { text: "Done." }]), mode });
  await session.prompt("go");
  return session;
}

/** The number of files in the diff of the open request. */
function changesShown({ state }: TestSession): number {
  const [request] = openRequests(state);
  return (request?.view?.type === "text" ? request.view.text.match(/^change /gm) : null)?.length ?? 0;
}

const EFFECTS = ["allow", "ask", "deny"] as const;
const pairs = EFFECTS.flatMap((a) => EFFECTS.map((b) => [a, b] as const));
/** Ten files: the one with the symbol, another one that has a rule, and eight without. The place of the other one differs. */
const tenFiles = pairs.map(([a, b], n) => [a, ...Array.from({ length: 9 }, (_, i) => (i === n % 9 ? b : "allow"))]);

test.each([
  { action: "edit", other: "read", effects: tenFiles },
  { action: "read", other: "edit", effects: tenFiles.filter(([first]) => first === "allow") },
])("the rules about $action are judged for each file: one denial denies all, and one question asks once for all", async (given) => {
  const { action, other, effects } = given;
  const namesOf = (n: number) => (effects[n] ?? []).map((effect, i) => `${n}-${i}-${effect}.odd`);
  const files = Object.fromEntries(effects.flatMap((_, n) => namesOf(n).map((name) => [name, "old one\n"])));
  const permissions = { [other]: "allow", [action]: { "*": "allow", "*-ask.odd": "ask", "*-deny.odd": "deny" } };
  await using daemon = await oddProject({ permissions, files });
  for (const n of effects.keys())
    answerWith(daemon, { documentChanges: namesOf(n).map((name) => editOf(daemon, name)) }, `rename-new${n}.json`);
  const session = await call(
    daemon,
    effects.map((_, n) => rename(namesOf(n)[0] ?? "", "old", `new${n}`)),
  );
  for (const [n, each] of effects.entries()) {
    const expected = EFFECTS.findLast((effect) => each.includes(effect));
    const callId = `s1.${n + 1}`;
    const isOpen = () => openRequests(session.state).some(({ subject }) => "call" in subject && subject.call === callId);
    await session.until(callId, () => isOpen() || session.finished.some((event) => event.callId === callId));
    const textsNow = () => namesOf(n).map((name) => daemon.read(name));
    const shown = isOpen() ? { changes: changesShown(session), texts: textsNow() } : undefined;
    if (shown) await session.answer({ choice: "once" });
    await session.until(callId, () => session.finished.some((event) => event.callId === callId));
    expect(shown).toEqual(expected === "ask" ? { changes: 10, texts: each.map(() => "old one\n") } : undefined);
    const outcome = session.finished.find((event) => event.callId === callId)?.result.outcome;
    const text = expected === "deny" ? "old one\n" : "new one\n";
    expect([each, outcome, textsNow()]).toEqual([each, expected === "deny" ? "denied" : "ok", each.map(() => text)]);
  }
  await session.untilEnd();
});

test("protected files, files outside of the workspace and files beyond the mode are not changed without the user", async () => {
  for (const [file, mode] of [
    ["b.odd", "architect"],
    [".git/hooks/b.odd", "code"],
    [".baton/b.odd", "code"],
    ["../b.odd", "code"],
  ] as const) {
    await using daemon = await oddProject({ files: { "a.md": "old one\n", [file]: "old one\n" } });
    const session = await call(daemon, [rename("a.md", "old", "new")], mode);
    await session.until("the call", ({ state, finished }) => openRequests(state).length > 0 || finished.length > 0);
    expect([file, daemon.read("a.md"), daemon.read(file)]).toEqual([file, "old one\n", "old one\n"]);
    if (openRequests(session.state).length > 0) await session.answer({ choice: "deny" });
    await session.untilEnd();
    expect(session.finished.filter(({ result }) => result.outcome === "ok")).toEqual([]);
    expect([file, daemon.read("a.md"), daemon.read(file)]).toEqual([file, "old one\n", "old one\n"]);
  }
});

test("an answer that is not only valid edits of files changes nothing, and the result says why", async () => {
  await using daemon = await oddProject();
  const uri = uriOf(daemon, "d.odd");
  const other = uriOf(daemon, "a.odd");
  const edit = editOf(daemon, "a.odd");
  const overlapping = editOf(daemon, "b.odd", [newName, newName]);
  const outside = editOf(daemon, "b.odd", [{ ...newName, range: { start: { line: 9, character: 0 }, end: { line: 9, character: 1 } } }]);
  daemon.write("../keys.odd", "old one\n");
  symlinkSync("../keys.odd", path.join(daemon.workspace, "link.odd"));
  const answers: [object | null, RegExp][] = [
    [{ documentChanges: [edit, { kind: "create", uri }] }, /wants to create the file .*d\.odd, which rename_symbol cannot do/],
    [{ documentChanges: [{ kind: "rename", oldUri: other, newUri: uri }, edit] }, /wants to rename the file .*a\.odd/],
    [{ documentChanges: [edit, { kind: "delete", uri: other }] }, /wants to delete the file .*a\.odd/],
    [{ documentChanges: [edit, overlapping] }, /edits of .*b\.odd that do not fit its text/],
    [{ documentChanges: [outside, edit] }, /edits of .*b\.odd that do not fit its text/],
    [
      { documentChanges: [edit, editOf(daemon, "b.odd", [{ snippet: { value: "$1" } }])] },
      /edit of .*b\.odd that Baton does not understand/,
    ],
    [{ changes: { "untitled:x": [newName], [other]: [newName] } }, /untitled:x, which is not a file/],
    [{ documentChanges: [edit, editOf(daemon, "missing.odd")] }, /missing\.odd cannot be read/],
    [{ documentChanges: [edit, editOf(daemon, "../keys.odd")] }, /keys\.odd, which is outside of the workspace/],
    [{ documentChanges: [edit, editOf(daemon, "link.odd")] }, /link\.odd cannot be read/],
    [{ changes: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [uriOf(daemon, `${i}.odd`), [newName]])) }, /changes 201 files/],
    [{ changes: {} }, /Renaming old changes nothing/],
    [null, /Renaming old changes nothing/],
  ];
  for (const [i, [answer]] of answers.entries()) answerWith(daemon, answer, `rename-n${i}.json`);
  const rejected = { error: { code: -32_602, message: "This name is taken." } };
  daemon.write("rename-taken.json", JSON.stringify(rejected));
  const inputs = [...answers.map((_, i) => rename("a.odd", "old", `n${i}`)), rename("a.odd", "old", "taken"), rename("a.odd", "none", "x")];
  const session = await call(daemon, inputs);
  await session.untilEnd();
  const expected = [...answers.map(([, text]) => text), /cannot rename old: This name is taken\./, /none does not occur in a\.odd/];
  for (const [i, text] of expected.entries()) {
    expect([i, session.finished[i]?.result.outcome]).toEqual([i, "failed"]);
    expect(session.finished[i]?.result.text).toMatch(text);
    expect(session.finished[i]?.result.text).toContain("Nothing was changed.");
  }
  expect([session.events.filter(({ type }) => type === "request.opened"), textsOf(daemon, three)]).toEqual([[], Object.values(three)]);
});

test("the answer of a server does not show what is behind a link", async () => {
  await using daemon = await oddProject();
  daemon.write("../keys.odd", "old secret\n");
  daemon.write(".env", "old secret\n");
  symlinkSync("../keys.odd", path.join(daemon.workspace, "link.odd"));
  symlinkSync(".env", path.join(daemon.workspace, "env.odd"));
  const places = ["link.odd", "env.odd", "b.odd"].map((file) => ({ uri: uriOf(daemon, file), range: newName.range }));
  daemon.write("definition.json", JSON.stringify({ result: places }));
  const session = await call(daemon, [{ tool: "find_symbol", input: { path: "a.odd", find: "definition", symbol: "old" } }]);
  await session.untilEnd();
  expect(session.finished[0]?.result.text).toBe(
    "b.odd:1: old one\n(1 place without read permission omitted)\n(1 place outside of the workspace omitted)",
  );
});

test("a symbol that the server does not want to rename is not renamed", async () => {
  await using daemon = await oddProject();
  daemon.write("prepare.json", JSON.stringify({ result: null }));
  const session = await call(daemon);
  await session.untilEnd();
  expect(session.finished[0]?.result.text).toBe("The language server odd cannot rename old at this place.\nNothing was changed.");
});

test("a file with unsaved text in an editor is not changed", async () => {
  await using daemon = await oddProject();
  const { api } = daemon.connect("editor");
  const held = Promise.withResolvers<string>();
  api.buffer.follow.subscribe(undefined, { onData: (news) => news.kind === "held" && held.resolve(news.holder) });
  const unsaved = { path: path.join(daemon.workspace, "b.odd"), version: 1, from: 0, text: "old, but better\n", last: true };
  await api.buffer.put.mutate({ holder: await held.promise, ...unsaved });
  const session = await call(daemon);
  await session.until("the call", ({ state, finished }) => openRequests(state).length > 0 || finished.length > 0);
  if (openRequests(session.state).length > 0) await session.answer({ choice: "once" });
  await session.untilEnd();
  expect(session.finished[0]?.result.text).toMatch(/^b\.odd is not the text .* Nothing was changed\./);
  expect(textsOf(daemon, three)).toEqual(Object.values(three));
});

test("a server that cannot rename is named, and the tool is no longer offered", async () => {
  await using daemon = await oddProject({ manner: "noisy" });
  const { api } = daemon.connect();
  const offered = async () => {
    const tools = await api.daemon.tools.query({ cwd: daemon.workspace, mode: "code" });
    return (
      tools.offered.some(({ name }) => name === "rename_symbol") || tools.withheld.find(({ name }) => name === "rename_symbol")?.reason
    );
  };
  expect(await offered()).toBe(true);
  const session = await call(daemon);
  await session.untilEnd();
  expect(session.finished[0]?.result.text).toMatch(/the language servers? (odd|of this folder) cannot rename symbols/i);
  expect(await offered()).toBe("the language servers of this folder cannot rename symbols");
});

test("after a restart of the daemon, an answer is carried out with a new plan", async () => {
  await using daemon = await oddProject({ permissions: { edit: "ask" } });
  const session = await call(daemon);
  await session.untilOpen();
  await daemon.kill();
  await daemon.start();
  await session.answer({ choice: "once" });
  await session.untilEnd();
  expect([session.finished[0]?.result.outcome, textsOf(daemon, three)]).toEqual(["ok", ["new one\n", "new one\n", "new one\n"]]);
});
