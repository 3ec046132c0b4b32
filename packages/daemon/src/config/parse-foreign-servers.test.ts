import { expect, test } from "vitest";
import { parseForeignServers } from "./parse-foreign-servers.ts";

test("invalid entries are left out and reported with their position, and so is Baton's own entry", () => {
  const text = JSON.stringify({
    mcpServers: {
      good: { command: "good" },
      typo: { comand: "good" },
      byHand: { command: "/usr/bin/baton", args: ["mcp", "serve"] },
      other: { command: "claude", args: ["mcp", "serve"] },
      baton: { command: "node", args: ["main.js", "mcp", "serve", "--profile", "claude"] },
    },
  });
  const { servers, notes } = parseForeignServers(text);
  expect(servers).toEqual({ good: { command: "good" }, other: { command: "claude", args: ["mcp", "serve"] } });
  expect(notes).toEqual([
    { at: text.indexOf('"typo"'), text: "typo: a server has either a command or a url." },
    { at: text.indexOf('"byHand"'), text: "byHand is Baton itself, for use by other agents." },
    { at: text.indexOf('"baton"'), text: "baton is Baton itself, for use by other agents." },
  ]);
});

test("an incomplete text is reported, and its readable part is used", () => {
  const { servers, notes } = parseForeignServers('{"mcpServers": {"good": {"command": "good"}, "other": {"comm');
  expect(Object.keys(servers)).toEqual(["good"]);
  expect(notes.map(({ text }) => text)).toEqual([
    "This text is not closed: a double quote is missing, so a part of the file cannot be read.",
    "other: a server has either a command or a url.",
  ]);
});

test("tools that another program allowed without asking are reported, because Baton asks", () => {
  const servers = {
    notes: { command: "node", alwaysAllow: ["list"] },
    web: { url: "https://a.example/mcp", trust: true, autoApprove: [] },
  };
  const read = parseForeignServers(JSON.stringify({ mcpServers: servers }));
  expect(read.servers).toEqual({ notes: { command: "node" }, web: { url: "https://a.example/mcp" } });
  expect(read.notes.map(({ text }) => text)).toEqual([
    'notes: its `alwaysAllow` is not used, so Baton asks about its tools. Answer with "This workspace", or write a rule for mcp.',
    'web: its `trust` is not used, so Baton asks about its tools. Answer with "This workspace", or write a rule for mcp.',
  ]);
});
