import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openProjectLanguageServers } from "./project-language-servers.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "baton-lsp-file-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string) => writeFileSync(path.join(folder, ".lsp.json"), text);
const server = (more: object = {}) => ({ command: "some-ls", extensionToLanguage: { ".X": "some" }, ...more });

test("a file is read again when it has changed, and a removed file has no servers", () => {
  const { of } = openProjectLanguageServers();
  expect(of(folder)).toEqual({});
  write(JSON.stringify({ one: server(), two: server({ args: ["--stdio"], env: { A: "b" }, initializationOptions: { c: 1 } }) }));
  const empty = { args: [], env: {}, initialization: {} };
  const languages = { ".x": "some" };
  expect(of(folder)).toEqual({
    one: { command: "some-ls", languages, ...empty },
    two: { command: "some-ls", languages, args: ["--stdio"], env: { A: "b" }, initialization: { c: 1 } },
  });
  write(`{ "three": ${JSON.stringify(server())}, } // the newest`);
  expect(Object.keys(of(folder))).toEqual(["three"]);
  rmSync(path.join(folder, ".lsp.json"));
  expect(of(folder)).toEqual({});
});

test.each<[string, unknown, RegExp]>([
  ["without a program", server({ command: "" }), /"bad" is left out: command/],
  ["without languages", { command: "x" }, /"bad" is left out: extensionToLanguage/],
  ["with an extension without a dot", server({ extensionToLanguage: { x: "x" } }), /"bad" is left out: extensionToLanguage/],
  ["over a socket", server({ transport: "socket" }), /"bad" is left out: transport/],
  ["with numbers in its environment", server({ env: { A: 1 } }), /"bad" is left out: env\.A/],
  ["that is a list", [], /"bad" is left out: /],
])("a server %s is left out with the line, and the others stay", (_, bad, reason) => {
  write(JSON.stringify({ good: server(), bad, also: server() }, undefined, 2));
  const { of, diagnostics } = openProjectLanguageServers();
  expect(Object.keys(of(folder))).toEqual(["good", "also"]);
  expect(diagnostics()).toMatchObject([{ file: path.join(folder, ".lsp.json"), line: 8, severity: "warning" }]);
  expect(diagnostics()[0]?.message).toMatch(reason);
});

test.each(["", "[]", "null", "{", '{ "a b": {} }', "\u0000"])("%j has no servers, and Baton says why", (text) => {
  write(text);
  const { of, diagnostics } = openProjectLanguageServers();
  expect([of(folder), of(folder)]).toEqual([{}, {}]);
  expect(diagnostics()).toHaveLength(1);
});
