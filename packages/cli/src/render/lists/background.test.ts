import { CallId, SessionId } from "@baton/core/protocol/ids";
import type { BackgroundCommand } from "@baton/core/session/background-command";
import { defaultBindings } from "@baton/core/terminal/key-bindings";
import { expect, test } from "vitest";
import { ansiStyle } from "../ansi-style.ts";
import { backgroundLines } from "./background.ts";

const now = 10_000_000;
const style = { columns: 100, ansi: ansiStyle("plain"), now, home: "/home/a", keys: defaultBindings };
const row = (id: string, more: Partial<BackgroundCommand>): BackgroundCommand => ({
  sessionId: SessionId.parse("abcdefghij"),
  id: CallId.parse(id),
  command: "npm run dev",
  startedAt: now - 90_000,
  status: "running",
  ...more,
});

test("each command has its outcome and its times", () => {
  const rows = [
    row("s1.1", {}),
    row("s1.2", { status: "exited", exitCode: 2, endedAt: now - 60_000 }),
    row("s1.3", { status: "exited", exitCode: null, endedAt: now - 60_000 }),
    row("s1.4", { status: "stopped", endedAt: now - 30_000 }),
    row("s1.6", { status: "exited", exitCode: 0, startedAt: now - 7_108_000, endedAt: now - 3_540_000 }),
    row("s1.5", { status: "unknown", command: "sleep 1\nrm -rf x" }),
  ];
  expect(backgroundLines(rows, style)).toEqual([
    "abcdefghij",
    "  … running           s1.1    for 1 min                      npm run dev",
    "  · exit 2            s1.2    30.0 s, ended 1 min ago        npm run dev",
    "  · ended by a signal s1.3    30.0 s, ended 1 min ago        npm run dev",
    "  · stopped           s1.4    1 min 0 s, ended 30 s ago      npm run dev",
    "  · exit 0            s1.6    59 min 28 s, ended 59 min ago  npm run dev",
    "  ? outcome unknown   s1.5    began 1 min ago                sleep 1 rm -rf x",
  ]);
});

test("commands with a terminal are marked, and the last line says how to open the first that runs", () => {
  const rows = [
    row("s1.1", {}),
    row("s1.2", { command: "bash", terminal: true, status: "exited", exitCode: 0, endedAt: now }),
    row("s1.3", { command: "node", terminal: true }),
  ];
  expect(backgroundLines(rows, style)).toEqual([
    "abcdefghij",
    "  … running           s1.1             for 1 min                      npm run dev",
    "  · exit 0            s1.2    terminal 1 min 30 s, ended 0 s ago      bash",
    "  … running           s1.3    terminal for 1 min                      node",
    "",
    "`baton background attach abcdefghij s1.3` opens a terminal.",
  ]);
});

test("without commands the list says so", () => expect(backgroundLines([], style)).toEqual(["No background commands."]));
