import { spawn } from "node:child_process";
import { fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * The floor for a call through an endpoint that records its work. One process reads lines, and another passes them to a server
 * and back. Each direction writes and syncs as many bytes as Baton's journal. Nothing is parsed, judged or kept. `main`: the
 * program of the server. `hub SOCKET PROGRAM...` is the second process, which this one starts.
 */
const WRITTEN = 16 * 1024;
const LONGEST = 4 * 1024 * 1024;

const [role = "", ...rest] = process.argv.slice(2);
if (role === "hub") hub(rest);
else pipe([role, ...rest]);

function pipe(program: readonly string[]): void {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-bench-"));
  const socket = path.join(folder, "s");
  const [, self = ""] = process.argv;
  const behind = spawn(process.execPath, [self, "hub", socket, ...program], { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => {
    behind.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  behind.stdout.once("data", () => {
    const line = connect(socket);
    process.stdin.pipe(line);
    line.pipe(process.stdout);
    line.on("close", () => process.exit());
  });
}

function hub([socket = "", command = "", ...args]: readonly string[]): void {
  const journal = openSync(`${socket}.journal`, "w");
  const block = Buffer.alloc(WRITTEN, 1);
  let at = 0;
  const write = () => {
    writeSync(journal, block, 0, WRITTEN, at);
    fdatasyncSync(journal);
    at = (at + WRITTEN) % LONGEST; // like a journal that starts over after a checkpoint
  };
  for (let i = 0; i < LONGEST / WRITTEN; i++) write();
  createServer((line) => {
    const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    line.on("data", (bytes: Buffer) => {
      write();
      server.stdin.write(bytes);
    });
    server.stdout.on("data", (bytes: Buffer) => {
      write();
      line.write(bytes);
    });
    line.on("close", () => {
      server.kill();
      process.exit();
    });
  }).listen(socket, () => process.stdout.write("ready\n"));
}
