import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";

const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const PATIENCE_MS = 60_000;

/** The output of a terminal, each piece with its milliseconds since the start. */
export type Recording = { output: { at: number; text: string }[] };

export type Player = {
  /** Resolves when this text has been printed since the last press. */
  until: (text: string) => Promise<void>;
  /** Presses keys after a pause, like a user who reads first. */
  press: (keys: string, afterMs: number) => Promise<void>;
};

/** Runs the client in a terminal while `play` uses it, and returns everything that it printed. */
export async function recordTerminal(
  { columns, rows, args }: { columns: number; rows: number; args: string[] },
  play: (player: Player) => Promise<void>,
): Promise<Recording> {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-record-")));
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  const env = { PATH, LANG, HOME: home, TERM: "xterm-256color", COLORTERM: "truecolor", BATON_SANDBOX: "off" }; // the same questions on every machine
  const pty = spawn(process.execPath, [CLIENT, ...args], { name: env.TERM, cols: columns, rows, cwd: home, env });
  const began = performance.now();
  const output: Recording["output"] = [];
  let recent = "";
  pty.onData((text) => {
    output.push({ at: performance.now() - began, text });
    recent += text;
  });
  const exited = new Promise<void>((done) => pty.onExit(() => done()));
  try {
    await play({
      until: async (text) => {
        const start = performance.now();
        while (!plain(recent).includes(text)) {
          if (performance.now() - start > PATIENCE_MS) throw new Error(`The terminal did not print ${text}:\n${plain(recent)}`);
          await sleep(50);
        }
      },
      press: async (keys, afterMs) => {
        await sleep(afterMs);
        recent = "";
        pty.write(keys);
      },
    });
    await exited;
  } finally {
    pty.kill();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
  return { output };
}

const CODES = new RegExp(`${"\u001b"}\\[[<>?0-9;]*[@-~]`, "g");

/** The text without codes, on one line, because lines break where the terminal ends. */
const plain = (text: string): string => text.replaceAll(CODES, "").replaceAll(/\s+/g, " ");
