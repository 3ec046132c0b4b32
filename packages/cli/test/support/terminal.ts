import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { TestScreen } from "./screen.ts";
import { WholeScreen } from "./whole-screen.ts";

const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const PATIENCE_MS = 30_000;
const ROWS = 40;

export type Terminal = {
  /** Resolves when the screen shows this text, or shows it this many times. Rejects with the screen if that takes too long. */
  until: (wanted: string | RegExp, times?: number) => Promise<void>;
  press: (keys: string) => void;
  /** Sends a prompt as soon as the new session waits for one. */
  prompt: (text: string) => Promise<void>;
  text: () => string;
  exited: Promise<number>;
  pid: number;
  close: () => void;
};

export const KEY = {
  enter: "\r",
  escape: "\u001b",
  shiftTab: "\u001b[Z",
  tab: "\t",
  altEnter: "\u001b\r",
  ctrlC: "\u0003",
  ctrlO: "\u000f",
  ctrlG: "\u0007",
  up: "\u001b[A",
};

/** The client in a separate terminal. */
export function openTerminal(
  args: string[],
  { cwd, env, columns = 80, whole = false }: { cwd: string; env: Record<string, string>; columns?: number; whole?: boolean },
): Terminal {
  const screen = whole ? new WholeScreen(columns, ROWS, () => waiting.forEach((look) => look())) : new TestScreen();
  const waiting = new Set<() => void>();
  const pty = spawn(process.execPath, [CLIENT, ...args], {
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows: ROWS,
    cwd,
    env,
  });
  pty.onData((data) => {
    screen.write(data);
    for (const look of waiting) look();
  });
  const exited = new Promise<number>((ended) => pty.onExit(({ exitCode }) => ended(exitCode)));
  const until: Terminal["until"] = (wanted, times = 1) =>
    new Promise((found, fail) => {
      const done = (settle: () => void) => {
        waiting.delete(look);
        clearTimeout(timer);
        settle();
      };
      const look = () => {
        if (countOf(screen.text(), wanted) >= times) done(found);
      };
      const timer = setTimeout(
        () => done(() => fail(new Error(`${String(wanted)} did not come to the screen:\n${screen.text()}`))),
        PATIENCE_MS,
      );
      waiting.add(look);
      look();
    });
  return {
    text: () => screen.text(),
    press: (keys) => pty.write(keys),
    prompt: async (typed) => {
      await until("Say what you want done.");
      pty.write(typed + KEY.enter);
    },
    until,
    exited,
    pid: pty.pid,
    close: () => pty.kill(),
  };
}

/** How often the screen shows the text. Spaces in the text do not count, because lines break at the edge of the terminal. */
function countOf(text: string, wanted: string | RegExp): number {
  if (typeof wanted === "string") return flat(text).split(flat(wanted)).length - 1;
  return Array.from(text.matchAll(new RegExp(wanted, `${wanted.flags}g`))).length;
}

const flat = (text: string): string => text.replace(/\s+/g, " ");
