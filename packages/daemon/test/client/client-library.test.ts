import { execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const node = promisify(execFile);
/** A package that depends on this one, like a client. */
const client = fileURLToPath(new URL("../../../cli", import.meta.url));

/** The built entry points of the client library, each with its name and its source. */
const entries = Object.entries(manifest.exports).flatMap(([name, entry]) =>
  typeof entry === "object" && "default" in entry && entry.default === "./dist/client.js"
    ? [[name.slice(2), entry["@baton/source"]] as const]
    : [],
);

const namesIn = (source: string): string[] => {
  const text = readFileSync(fileURLToPath(new URL(`../../${source}`, import.meta.url)), "utf8");
  return [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(([, name]) => name ?? "");
};

test.each(entries)("the built library @baton/daemon/%s can be imported, with every name of its source", async (name, source) => {
  const { stdout } = await node(
    process.execPath,
    ["-e", `import("@baton/daemon/${name}").then((all) => console.log(Object.keys(all).join(" ")))`],
    { cwd: client },
  );
  expect(stdout.trim().split(" ")).toEqual(expect.arrayContaining(namesIn(source)));
});

const PATIENT = { timeout: 30_000 };

test("a program that imports the built library talks to a daemon", async () => {
  await using daemon = await TestDaemon.start();
  const program = `
    import { connectTo } from "@baton/daemon/client";
    const connection = connectTo(JSON.parse(process.argv[1]), { client: "example" });
    console.log(JSON.stringify(await connection.api.session.list.query({})));
    await connection.close();`;
  const { stdout } = await node(process.execPath, ["--input-type=module", "-e", program, JSON.stringify(daemon.discovery)], {
    cwd: client,
  });
  expect(JSON.parse(stdout)).toEqual([]);
});

test("the example of docs/clients.md prompts, answers a request and continues after the daemon was killed", async () => {
  await using daemon = await TestDaemon.start();
  const page = readFileSync(fileURLToPath(new URL("../../../../docs/clients.md", import.meta.url)), "utf8");
  const example = /```js\n(.*?)```/s.exec(page)?.[1] ?? "";
  expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(50);
  const model = script(daemon, [
    { text: "I look.", calls: [{ tool: "run_command", input: { command: "echo asked >> asked.txt" } }] },
    { text: "All done." },
  ]);
  mkdirSync(path.join(daemon.root, "node_modules/@baton"), { recursive: true });
  for (const name of ["core", "daemon"])
    symlinkSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), path.join(daemon.root, "node_modules/@baton", name));
  await daemon.connect().api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: true });
  const child = spawn(process.execPath, [daemon.write("client.mjs", example), "Look at it", model], {
    cwd: daemon.workspace,
    env: { ...process.env, BATON_HOME: daemon.home },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (data: Buffer) => (printed += data.toString()));
  const ended = new Promise((end) => child.once("close", end));
  await expect.poll(() => printed, PATIENT).toContain("(once, session, workspace, deny)");
  await daemon.kill();
  await daemon.start();
  child.stdin.write("once\n");
  expect(await ended).toBe(0);
  expect(printed).toContain("I look.");
  expect(printed).toContain("All done.");
  expect(daemon.read("asked.txt")).toBe("asked\n");
});
