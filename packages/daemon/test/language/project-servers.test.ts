import { fileURLToPath } from "node:url";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { diagnosticsOf, languageProject, patient } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";
import type { TestDaemon } from "../support/daemon.ts";

const program = fileURLToPath(new URL("../support/language/odd-language-server.ts", import.meta.url));
const server = (extension: string) => ({
  command: process.execPath,
  args: [program],
  extensionToLanguage: { [extension]: "odd" },
  env: { WHERE: "${CLAUDE_PROJECT_DIR}" },
});
const files = { "a.odd": "good\n", ".lsp.json": JSON.stringify({ odd: server(".odd"), broken: { command: "x" } }) };

/** The errors that an agent gets for one more bad line. */
async function errorsAfterEdit(daemon: TestDaemon, file = "a.odd"): Promise<string[]> {
  const write = { tool: "write_file", input: { path: file, content: `${daemon.read(file)}bad\n` } };
  const session = await daemon.session({ model: script(daemon, [{ calls: [write] }, { text: "Done." }]) });
  await session.runTurn("go");
  return diagnosticsOf(session).flatMap(({ view }) => (view.type === "files" ? view.files.map(({ path, line }) => `${path}:${line}`) : []));
}

test("the servers of a trusted project check its edits, and a change of the file counts at once", async () => {
  await using daemon = await languageProject({ config: patient, files });
  const { api } = daemon.connect();
  expect(await errorsAfterEdit(daemon)).toEqual(["a.odd:2"]);
  const { servers } = await api.daemon.languageServers.query({ cwd: daemon.workspace });
  expect(servers.filter(({ name }) => name === "odd")).toHaveLength(1);
  const { diagnostics } = await api.daemon.status.query({ cwd: daemon.workspace });
  expect(diagnostics).toMatchObject([{ line: 1, severity: "warning" }]);
  expect(diagnostics[0]?.message).toContain('"broken" is left out: extensionToLanguage');
  daemon.write(".lsp.json", JSON.stringify({ odd: server(".strange") }));
  expect([await errorsAfterEdit(daemon), await errorsAfterEdit(daemon, "a.strange")]).toEqual([[], ["a.strange:1"]]);
});

test("no server of a project starts before the folder is trusted, and the question about trust names the file", async () => {
  await using daemon = await languageProject({ config: patient, files });
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: daemon.workspace, trusted: false });
  expect(await errorsAfterEdit(daemon)).toEqual([]);
  expect((await api.workspace.status.query({ cwd: daemon.workspace })).files).toContain(".lsp.json");
});

const mine = { command: [process.execPath, program, "noisy"], extensions: [".odd"] };
test.each([
  { lsp: false, found: [], name: "no servers at all" },
  { lsp: { odd: { disabled: true } }, found: [], name: "the server is turned off" },
  { lsp: { odd: { command: ["nothing-like-this"] } }, found: [], name: "a server with the same name is not installed" },
  { lsp: { other: mine }, found: ["a.odd:2"], name: "another server for the same files" },
])("the settings of the user win: $name", async ({ lsp, found }) => {
  await using daemon = await languageProject({ config: { ...patient, lsp }, files });
  expect(await errorsAfterEdit(daemon)).toEqual(found);
});

test("a change of the file by an agent asks, whatever the rules say", async () => {
  await using daemon = await languageProject({ config: { permissions: { "*": "allow" } }, files });
  const write = { tool: "write_file", input: { path: ".lsp.json", content: "{}" } };
  const session = await daemon.session({ model: script(daemon, [{ calls: [write] }, { text: "Done." }]) });
  await session.prompt("go");
  await session.untilOpen();
  expect(openRequests(session.state)[0]?.tool).toBe("write_file");
});
