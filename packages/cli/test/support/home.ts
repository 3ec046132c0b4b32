import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { connectTo, findDaemon, type Connection } from "@baton/daemon/client";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Every test has a new home. All homes share one folder of compiled code, as in a home that is used every day. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));
const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export type Ran = { code: number; out: string; err: string };
type Reply = {
  reasoning?: string;
  text?: string;
  calls?: { tool: string; input: unknown }[];
  stream?: { characters: number; everyMs: number };
  delayMs?: number;
  usage?: { input?: number; cachedInput?: number; cacheWrite?: number; output?: number };
};

export type Home = {
  workspace: string;
  env: Record<string, string>;
  /** The path of a file in Baton's own folder. */
  file: (...names: string[]) => string;
  configure: (config: object) => void;
  /** Writes a script and returns the name of its model. */
  script: (...replies: Reply[]) => string;
  run: (args: string[], input?: string) => Promise<Ran>;
  terminal: (args: string[], columns?: number, more?: Record<string, string>) => Terminal;
  /** A terminal that knows all sequences, for programs that fill the screen. `text` is only the screen. */
  wholeTerminal: (args: string[]) => Terminal;
  daemonPid: () => number;
  /** A client beside those of the test. The daemon must run. */
  connect: () => Promise<Connection>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** A home, a workspace and a daemon for one test. All of them are removed when the test ends. */
export function openHome(): Home {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-cli-")));
  const [home, workspace] = [path.join(folder, "home"), path.join(folder, "work")];
  for (const each of [home, workspace]) mkdirSync(each);
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  const env = { PATH, LANG, HOME: folder, BATON_HOME: home, TZ: "UTC", BATON_SANDBOX: "off", NODE_COMPILE_CACHE: COMPILED };
  const terminals: Terminal[] = [];
  let scripts = 0;

  const file = (...names: string[]) => path.join(home, ...names);
  const daemonPid = (): number => {
    const content: unknown = JSON.parse(readFileSync(file("daemon.json"), "utf8"));
    if (typeof content === "object" && content !== null && "pid" in content && typeof content.pid === "number") return content.pid;
    throw new Error("daemon.json names no pid");
  };
  return {
    workspace,
    env,
    file,
    configure: (config) => writeFileSync(file("config.jsonc"), JSON.stringify(config)),
    daemonPid,
    connect: async () => {
      const found = await findDaemon(file("daemon.json"));
      if (!found) throw new Error("the daemon of this home does not run");
      return connectTo(found, { client: "test", discoveryFile: file("daemon.json") });
    },
    script: (...replies) => {
      const written = path.join(folder, `script-${++scripts}.json`);
      writeFileSync(written, JSON.stringify({ replies }));
      return `scripted/${written}`;
    },
    run: (args, input) => runClient(args, { cwd: workspace, env }, input),
    terminal: (args, columns, more) => {
      const opened = openTerminal(args, { cwd: workspace, env: { ...env, ...more }, ...(columns === undefined ? {} : { columns }) });
      terminals.push(opened);
      return opened;
    },
    wholeTerminal: (args) => {
      const opened = openTerminal(args, { cwd: workspace, env, whole: true });
      terminals.push(opened);
      return opened;
    },
    async [Symbol.asyncDispose]() {
      for (const opened of terminals) opened.close();
      await Promise.all(terminals.map(({ exited }) => exited));
      await runClient(["daemon", "stop"], { cwd: folder, env });
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The same, in a folder that the user has marked as not trusted, so that Baton does not ask about it. */
export async function openSettledHome(): Promise<Home> {
  const home = openHome();
  await home.run(["trust", "--restrict"]);
  return home;
}

/** Runs the client to its end, with only this environment. */
export async function runClient(args: string[], options: { cwd: string; env: Record<string, string> }, input?: string): Promise<Ran> {
  const child = spawn(process.execPath, [CLIENT, ...args], { ...options, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input ?? "");
  const ended = new Promise<number>((done) => child.on("close", (code) => done(code ?? -1)));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

export const call = (tool: string, input: unknown): { tool: string; input: unknown } => ({ tool, input });
