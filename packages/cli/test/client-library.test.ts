import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeClientTypes } from "../../../tools/release/client-types.ts";
import { CLIENT_TYPES } from "../../../tools/release/stage-package.ts";
import { call } from "./support/home.ts";
import { openMachine, packTarball } from "./support/installed.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(path.join(root, "docs/clients.md"), "utf8");
/** The programs of docs/clients.md: the example, and its parts for lists and for growing text. */
const [example = "", lists = "", growing = ""] = Array.from(page.matchAll(/```js\n(.*?)```/gs), ([, program = ""]) => program);

const PATIENT = { timeout: 30_000 };
const machine = openMachine();
/** The folder of a client, where the package is installed and nothing else. */
const folder = path.join(machine.folder, "client");
const baton = (...args: string[]) => machine.run(path.join(folder, "node_modules/.bin/baton"), args);

beforeAll(async () => {
  mkdirSync(folder);
  const types = path.join(machine.folder, CLIENT_TYPES);
  await writeClientTypes(root, types);
  const tarball = packTarball(machine.folder, undefined, (staged) => cpSync(types, path.join(staged, CLIENT_TYPES)));
  const { code, err } = await machine.run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", tarball]);
  if (code !== 0) throw new Error(err);
  await baton("trust", "--restrict");
}, 120_000);

const clients: ChildProcess[] = [];

afterAll(async () => {
  for (const client of clients) client.kill();
  await baton("daemon", "stop");
  await machine[Symbol.asyncDispose]();
});

/** Runs a client in the workspace. */
function run(program: string, model: string) {
  const file = path.join(folder, "client.mjs");
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file, "Look at it", model], {
    cwd: machine.workspace,
    env: machine.env,
    stdio: "pipe",
  });
  clients.push(child);
  let [text, errors] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  return {
    text: () => text,
    errors: () => errors,
    type: (line: string) => child.stdin.write(`${line}\n`),
    ended: new Promise((end) => child.once("close", end)),
  };
}

test("the example of docs/clients.md answers requests, starts a daemon that crashed, and takes back what another client answers", async () => {
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(52);
  const model = machine.script(
    { text: "I write.", calls: [call("write_file", { path: "new.txt", content: "asked" })] },
    { text: "I look.", calls: [call("run_command", { command: "cat new.txt; echo later" })] },
    { text: "All done." },
  );
  const client = run(example, model);
  await expect.poll(client.text, PATIENT).toContain("once: Allow once");
  const { pid } = JSON.parse((await baton("daemon", "status", "--json")).out) as { pid: number };
  process.kill(pid, "SIGKILL");
  client.type("nonsense");
  await expect.poll(client.text, PATIENT).toContain("Choose one of: once, session, workspace, deny.");
  client.type("once");
  await expect.poll(client.text, PATIENT).toContain("Run this command?");
  const [open] = JSON.parse((await baton("inbox", "--json")).out) as { id: string }[];
  expect((await baton("answer", open?.id ?? "", "once")).code).toBe(0);
  expect(await client.ended).toBe(0);
  expect(client.errors()).toBe("");
  expect(client.text()).toContain("This request is closed.");
  expect(client.text()).toMatch(/I look\.[^]*askedlater\n[^]*All done\./);
}, 60_000);

test("the page prints growing text once, and the lists of sessions and requests", async () => {
  const text = "This reply arrives in many pieces.";
  const model = machine.script(
    { text, stream: { characters: 3, everyMs: 5 }, calls: [call("run_command", { command: "echo growing" })] },
    { text: "All done." },
  );
  const program = example
    .replace("import { batonPaths,", "import { batonPaths, followInbox, followSessionList,")
    .replace(/^const commands =.*$/m, `$&\n${growing}\n${lists.replaceAll("console.log", "console.error")}`)
    .replace("function draw(events) {", "$&\n  drawText(view);")
    .replace("console.log(event.text)", "console.log()");
  const client = run(program, model);
  await expect.poll(client.text, PATIENT).toContain("once: Allow once");
  client.type("once");
  expect(await client.ended).toBe(0);
  expect(client.text().split(text)).toHaveLength(2);
  expect(client.errors()).toMatch(/^\w+ (working|waiting) Look at it$/m);
  expect(client.errors()).toContain("Run this command?");
}, 60_000);

test("the types need no other package than @types/node", async () => {
  const program = `
    import { createCommands, connectTo, openRequests, openSessionView, type Request } from "@baton/cli/client";
    declare const found: Parameters<typeof connectTo>[0];
    const { api } = connectTo(found, { client: "typed", discoveryFile: "" });
    const open: number | undefined = (await api.session.list.query({}))[0]?.openRequests;
    const view = await openSessionView(api, "", { onChange: (events) => events[0]?.seq, onError: () => open });
    const request: Request | undefined = openRequests(view.state)[0];
    if (request) await createCommands(api).answer(request, { choice: "once" });
    // @ts-expect-error: the input has another type
    await api.session.list.query({ limit: "many" });`;
  writeFileSync(path.join(folder, "typed.mts"), program);
  const compilerOptions = { strict: true, module: "nodenext", target: "es2024", types: ["node"], noEmit: true };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.mts"] }));
  mkdirSync(path.join(folder, "node_modules/@types"));
  symlinkSync(path.join(root, "node_modules/@types/node"), path.join(folder, "node_modules/@types/node"));
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  expect(await machine.run(process.execPath, [tsc, "-p", folder])).toEqual({ code: 0, out: "", err: "" });
}, 60_000);
