import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { diagnosticsOf, edit, installed, languageProject, patient } from "../support/language/language-project.ts";
import { script } from "../support/script.ts";

const id = () => crypto.randomUUID();

/**
 * Plugins with servers for endings that no known server wants, so that only the server of a plugin can report the errors. The server of
 * TypeScript needs the name of the language, and the one of Python does not.
 */
const PLUGINS = {
  file: {
    files: {
      ".claude-plugin/plugin.json": { name: "file" },
      ".lsp.json": { own: { command: "pyright-langserver", args: ["--stdio"], extensionToLanguage: { ".file": "python" } } },
    },
    text: "count: int = 1\n",
    says: 'is not assignable to declared type "int"',
  },
  manifest: {
    files: {
      ".claude-plugin/plugin.json": {
        name: "manifest",
        lspServers: {
          own: { command: "typescript-language-server", args: ["--stdio"], extensionToLanguage: { ".manifest": "typescript" } },
        },
      },
    },
    text: "export const count: number = 1;\n",
    says: "is not assignable to type 'number'",
  },
};

test("language servers of two plugins report the errors of an edit, as the language that each plugin names, until the plugin is disabled", async () => {
  const names = Object.keys(PLUGINS);
  await using daemon = await languageProject({
    config: patient,
    env: { PATH: `${path.join(installed, ".bin")}:${process.env["PATH"] ?? ""}` },
    files: Object.fromEntries(Object.entries(PLUGINS).map(([name, { text }]) => [`code.${name}`, text])),
  });
  const { api } = daemon.connect();
  const { workspace: cwd } = daemon;
  for (const [name, { files }] of Object.entries(PLUGINS)) {
    const folder = path.join(daemon.root, name);
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), JSON.stringify(content));
    }
    const { hash } = await api.plugin.fetch.mutate({ commandId: id(), source: folder });
    await api.plugin.approve.mutate({ commandId: id(), cwd, hash, use: true });
  }
  const reply = (from: string, to: string) => ({ calls: names.map((name) => edit(`code.${name}`, from, to)) });
  const session = await daemon.session({
    model: script(daemon, [reply("= 1", '= "a"'), { text: "Done." }, reply('"a"', '"b"'), { text: "Done." }]),
  });
  await session.runTurn("go");
  const found = diagnosticsOf(session).flatMap(({ view }) => (view?.type === "files" ? view.files : []));
  expect(found.map(({ path: file, line }) => [file, line])).toEqual(names.map((name) => [`code.${name}`, 1]));
  for (const [i, { says }] of Object.values(PLUGINS).entries()) expect(found[i]?.note).toContain(says);
  await api.plugin.use.mutate({ commandId: id(), cwd, name: "file", on: false });
  await session.runTurn("go", 2);
  const checked = session.events.flatMap((event) => (event.type === "tool.finished" && event.awaitsDiagnostics ? event.callId : []));
  expect(checked).toHaveLength(3);
});
