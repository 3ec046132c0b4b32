import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { diagnosticsOf, edit, languageProject, patient } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";

const files = {
  "package.json": `{ "type": "module" }`,
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true, types: [] }, include: ["src"] }),
  "src/price.ts": "export function price(amount: number): number {\n  return amount * 2;\n}\n",
  "src/cart.ts": `import { price } from "./price.js";\n\nconst wrong: string = 1;\n\nexport const total = price(3);\n`,
};

test("an edit that breaks a caller in another file reports its line, and no earlier errors", async () => {
  await using daemon = await languageProject({ config: patient, files });
  const breaking = edit("src/price.ts", "amount: number", "amount: number, rate: number");
  const session = await daemon.session({ model: script(daemon, [{ calls: [breaking] }, { text: "Done." }]) });
  await session.runTurn("go");
  expect(diagnosticsOf(session)).toEqual([
    {
      callId: "s1.1",
      text: "This edit caused 1 new error:\nsrc/cart.ts:5:22: Expected 2 arguments, but got 1.\nFix them before you finish.",
      view: { type: "files", files: [{ path: "src/cart.ts", line: 5, note: "Expected 2 arguments, but got 1." }] },
    },
  ]);
});

test("edits of one reply are checked together, and each call gets the errors that it caused", async () => {
  const more = {
    ...files,
    "src/tax.ts": "export const tax = (amount: number) => amount;\n",
    "src/bill.ts": 'import { tax } from "./tax.js";\ntax(1);\n',
  };
  await using daemon = await languageProject({ config: patient, files: more });
  const calls = [edit("src/price.ts", "amount: number", "amount: string"), edit("src/tax.ts", "(amount: number)", "(amount: boolean)")];
  const session = await daemon.session({ model: script(daemon, [{ calls }, { text: "Done." }]) });
  await session.runTurn("go");
  const lines = diagnosticsOf(session).map(({ callId, view }) => [
    callId,
    view.type === "files" ? view.files.map(({ path, line }) => `${path}:${line}`) : [],
  ]);
  expect(lines).toEqual([
    ["s1.1", ["src/price.ts:2", "src/cart.ts:5"]],
    ["s1.2", ["src/bill.ts:2"]],
  ]);
  expect(session.events.filter(({ type }) => type === "diagnostics.reported")).toHaveLength(1);
});

/** The nightly run makes more of them. */
const EDITS = Number(process.env["BATON_EDITS"] ?? 20);

test(`${EDITS} edits that break nothing report nothing, and neither does the removal of an unused file`, async () => {
  const config = { ...patient, limits: { steps: EDITS + 10 } };
  await using daemon = await languageProject({ config, files: { ...files, "src/unused.ts": "export const unused = 1;\n" } });
  const edits = Array.from({ length: EDITS }, (_, i) =>
    i % 2 === 0
      ? { tool: "write_file", input: { path: "src/cart.ts", content: `${"// a line\n".repeat(i)}${files["src/cart.ts"]}` } }
      : { tool: "write_file", input: { path: "src/price.ts", content: `${files["src/price.ts"]}export const more${i} = ${i};\n` } },
  );
  const replies = [...edits, { tool: "delete_file", input: { path: "src/unused.ts" } }].map((call) => ({ calls: [call] }));
  const session = await daemon.session({ model: script(daemon, [...replies, { text: "Done." }]) });
  await session.runTurn("go");
  expect(session.finished.map(({ result }) => result.outcome)).toEqual(replies.map(() => "ok"));
  expect(diagnosticsOf(session)).toEqual([]);
  expect(session.events.filter(({ type }) => type === "diagnostics.reported")).toHaveLength(EDITS + 1);
});

test("a server that is killed between two edits checks the second one again", async () => {
  await using daemon = await languageProject({ config: patient, files });
  const breaking = edit("src/price.ts", "amount: number", "amount: number, rate: number");
  const replies = [{ calls: [edit("src/price.ts", "* 2", "* 3")] }, { calls: [{ tool: "run_command", input: { command: "sleep 2" } }] }];
  const session = await daemon.session({ model: script(daemon, [...replies, { calls: [breaking] }, { text: "Done." }]) });
  await session.prompt("go");
  await session.until("the first check", ({ events }) => events.some(({ type }) => type === "diagnostics.reported"));
  for (const pid of serversOf(daemon.pid)) process.kill(pid, "SIGKILL");
  await session.untilEnd();
  expect(diagnosticsOf(session)).toMatchObject([{ callId: "s3.1", view: { files: [{ path: "src/cart.ts", line: 5 }] } }]);
});

/** The language servers that a daemon has started. */
const serversOf = (daemon: number): number[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]);
      return parent === daemon && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("typescript-language-server")
        ? [Number(name)]
        : [];
    } catch {
      return []; // it has ended in the meantime
    }
  });
