import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { chromiumPath, shellPath } from "../../../web/test/support/browser.ts";
import { codeServerProgram } from "./code-server.ts";
import { extensionsWithOurs } from "./packed.ts";

export { chromiumPath };

export const extensionFolder = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "chat.disableAIFeatures": true,
  "workbench.startupEditor": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "window.autoDetectColorScheme": false,
  "git.enabled": false,
  "workbench.reduceMotion": "on",
  "editor.cursorBlinking": "solid",
  "files.autoSave": "off", // in a browser the editor saves by itself
  "remote.autoForwardPorts": false, // otherwise it searches the ports of every process on the machine, and warns about more than 20
};

export type EditorOptions = {
  /** The environment of the extension host: the path of the daemon's home. */
  env: Record<string, string>;
  settings?: Record<string, unknown>;
  /** Whether the editor asks to trust folders before anything in them applies. By default it does not. */
  trust?: boolean;
  /** Whether a suite runs inside. Only then the editor loads one, and it shows no notifications meanwhile. */
  driven?: boolean;
};

const PATIENCE_MS = 60_000;

/** A real editor with the packed extension installed, and a browser that shows its windows. */
export class Editor implements AsyncDisposable {
  readonly folder: string;
  readonly #port: number;
  readonly #server: ChildProcess;
  readonly #browser: BrowserContext;
  readonly #settings: Record<string, unknown>;

  private constructor(folder: string, port: number, server: ChildProcess, browser: BrowserContext, settings: Record<string, unknown>) {
    this.folder = folder;
    this.#port = port;
    this.#server = server;
    this.#browser = browser;
    this.#settings = settings;
  }

  static async start({ env, settings = {}, trust = false, driven = false }: EditorOptions): Promise<Editor> {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-editor-")));
    const at = (name: string) => {
      const made = path.join(folder, name);
      mkdirSync(made, { recursive: true });
      return made;
    };
    const program = codeServerProgram();
    const all = settingsFor(at("bin"), settings);
    writeFileSync(path.join(folder, "config.yaml"), "auth: none\n");
    writeFileSync(path.join(at("data/User"), "settings.json"), JSON.stringify(all));
    writeFileSync(path.join(at("data/Machine"), "settings.json"), JSON.stringify(all));
    const port = await freePort();
    const places = ["--config", path.join(folder, "config.yaml"), "--user-data-dir", at("data")];
    const whole = {
      ...env,
      EXTENSIONS_GALLERY: "{}",
      TMPDIR: at("t"),
      XDG_CONFIG_HOME: at("c"),
      XDG_DATA_HOME: at("d"),
      XDG_RUNTIME_DIR: at("r"),
    };
    const extensions = extensionsWithOurs((vsix, into) =>
      execFileSync(process.execPath, [program, ...places, "--extensions-dir", into, "--install-extension", vsix, "--force"], {
        env: whole,
        stdio: "ignore",
      }),
    );
    const log = openSync(path.join(folder, "server.log"), "a");
    const quiet = [
      "--disable-telemetry",
      "--disable-update-check",
      "--ignore-last-opened",
      ...(trust ? [] : ["--disable-workspace-trust"]),
    ];
    const driver = driven ? ["--vscode-option", "enable-smoke-test-driver"] : [];
    const server = spawn(
      process.execPath,
      [program, ...places, "--extensions-dir", extensions, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, ...quiet, ...driver],
      { env: whole, stdio: ["ignore", log, log], detached: true },
    );
    await answers(`http://127.0.0.1:${port}/healthz`, server);
    // With a profile, in which the editor's cached files stay from window to window.
    const browser = await chromium.launchPersistentContext(at("browser"), { executablePath: shellPath ?? chromiumPath ?? "", args: FLAGS });
    browser.setDefaultTimeout(PATIENCE_MS);
    return new Editor(folder, port, server, browser, all);
  }

  get settings(): Readonly<Record<string, unknown>> {
    return this.#settings;
  }

  /** Changes the user's settings. Open windows follow. */
  set(settings: Record<string, unknown>): void {
    Object.assign(this.#settings, settings);
    for (const scope of ["User", "Machine"])
      writeFileSync(path.join(this.folder, `data/${scope}/settings.json`), JSON.stringify(this.#settings));
  }

  /** A separate window on a folder, or without one. */
  async window(folder: string | undefined, { width = 1280, height = 800 } = {}): Promise<Page> {
    const page = await this.#browser.newPage();
    await page.setViewportSize({ width, height });
    await page.goto(this.#url(folder, []));
    return page;
  }

  /** Closes all windows but this one. */
  async closeOthers(open: Page): Promise<void> {
    for (const page of this.#browser.pages()) if (page !== open) await page.close();
  }

  /** Closes all windows and makes the browser forget their layout. */
  async closeWindows(): Promise<void> {
    const blank = await this.#browser.newPage();
    await this.closeOthers(blank);
    const session = await this.#browser.newCDPSession(blank);
    await session.send("Storage.clearDataForOrigin", {
      origin: `http://127.0.0.1:${this.#port}`,
      storageTypes: "indexeddb,local_storage,cookies",
    });
  }

  /** Screenshots of all windows, to find out why a test failed. */
  async shoot(folder: string, name: string): Promise<void> {
    for (const [i, page] of this.#browser.pages().entries())
      await page.screenshot({ path: path.join(folder, `${name.slice(0, 40)} ${i}.png`) });
  }

  /** Runs a test module inside the extension host. Returns its exit code and its output. */
  async run(
    suite: string,
    folder: string,
    { extension, env = {} }: { extension: string; env?: Record<string, string> },
  ): Promise<{ code: number; lines: string[] }> {
    const page = await this.#browser.newPage();
    const lines: string[] = [];
    const remote = (file: string) => `vscode-remote://127.0.0.1:${this.#port}${file}`;
    let exit: (code: number) => void;
    let fail: (error: Error) => void;
    const ended = new Promise<number>((settle, reject) => ([exit, fail] = [settle, reject]));
    await page.exposeFunction("codeAutomationLog", (_: string, args: unknown[]) => {
      const line = format(...args);
      appendFileSync(path.join(this.folder, "window.log"), `${line}\n`);
      if (line.startsWith("[test]")) lines.push(line.slice("[test] ".length));
    });
    await page.exposeFunction("codeAutomationExit", (code: number) => exit(code));
    const patience = setTimeout(() => fail(new Error("the extension host gave no exit code")), 180_000);
    try {
      await page.goto(
        this.#url(folder, [
          ["extensionDevelopmentPath", remote(extension)],
          ["extensionTestsPath", remote(suite)],
          ["extensionEnvironment", JSON.stringify(env)],
        ]),
      );
      return { code: await ended, lines };
    } catch (error) {
      throw new Error(
        `${String(error)}\n${lines.join("\n")}\n${readFileSync(path.join(this.folder, "window.log"), "utf8").slice(-3_000)}`,
        { cause: error },
      );
    } finally {
      clearTimeout(patience);
      await this.closeWindows();
    }
  }

  /** How many extension hosts the server has started. */
  get startedHosts(): number {
    return this.log.split("Launched Extension Host Process").length - 1;
  }

  /** The logs of the editor's server and its windows. */
  get log(): string {
    return readFileSync(path.join(this.folder, "server.log"), "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    const ended = new Promise((done) => this.#server.once("exit", done));
    if (this.#server.exitCode === null) {
      this.#server.kill("SIGTERM");
      await ended;
    }
    endGroup(this.#server);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #url(folder: string | undefined, payload: [string, string][]): string {
    const url = new URL(`http://127.0.0.1:${this.#port}/`);
    if (folder === undefined) url.searchParams.set("ew", "true");
    else url.searchParams.set(folder.endsWith(".code-workspace") ? "workspace" : "folder", folder);
    url.searchParams.set("payload", JSON.stringify([["skipWelcome", "true"], ...payload]));
    return url.href;
  }
}

/** A folder that contains only a manifest, to run a suite against an installed extension. */
export function companion(folder: string): string {
  const made = path.join(folder, "companion");
  mkdirSync(made, { recursive: true });
  const { version } = JSON.parse(readFileSync(path.join(extensionFolder, "package.json"), "utf8")) as { version: string };
  writeFileSync(
    path.join(made, "package.json"),
    JSON.stringify({ name: "companion", publisher: "baton", version, engines: { vscode: "^1.92.0" }, main: "./main.cjs" }),
  );
  writeFileSync(path.join(made, "main.cjs"), "exports.activate = () => {};\n");
  return made;
}

/** A user's settings for a window of a test. `bin` is a folder for the program that they name. */
export const settingsFor = (bin: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...SETTINGS,
  "baton.executable": launcher(bin),
  ...more,
});

/** The `baton` program as a user has it on the PATH. */
function launcher(folder: string): string {
  const file = path.join(folder, "baton");
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${CLIENT}' "$@"\n`, { mode: 0o755 });
  return file;
}

/** Extension hosts survive their server for a while, in case their window comes back. Here no window does. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // all of them have ended already
  }
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((look) => setTimeout(look, 50));
  }
  throw new Error(`code-server ended with ${server.exitCode}`);
}
