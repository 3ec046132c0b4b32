import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";
import type { MessageConnection } from "vscode-jsonrpc/node";
import type * as lsp from "vscode-languageserver-protocol";
import type { StdioProcess } from "../../system/commands/stdio-process.ts";
import { connectLanguageServer, type StartProgram } from "./connect-language-server.ts";
import { languageIdOf } from "./known-servers.ts";
import { PublishedDiagnostics } from "./published-diagnostics.ts";
import type { LanguageServerDefinition } from "./server-definition.ts";

/** A text that the server has received. `stamp`: the state of the file on the disk when it was read, if it was. */
type OpenDocument = { version: number; text: string; stamp: string | undefined };

type ServerOptions = {
  definition: Pick<LanguageServerDefinition, "name" | "initialization" | "languages">;
  root: string;
  start: StartProgram;
  /** Called once when the program has ended. */
  onEnd: (why: string) => void;
  report: (problem: string) => void;
};

/** How long a server may take to start, and to answer a request. A server that takes longer hangs and is stopped. */
const START_MS = 60_000;
const REQUEST_MS = 30_000;
const STOP_MS = 1_000;
/** The number of texts that a server keeps open, and the size of the largest one in characters. */
const MAX_OPEN = 40;
const MAX_TEXT = 4_000_000;
const MAX_NOISE_REPORTS = 5;

/** A running language server. Callers make sure that nothing else changes its texts while they compare two states. */
export class LanguageServer {
  readonly name: string;
  readonly root: string;
  readonly published = new PublishedDiagnostics();
  readonly #rpc: MessageConnection;
  readonly #close: () => Promise<void>;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #languages: Readonly<Record<string, string>>;
  #capabilities: lsp.ServerCapabilities = {};

  private constructor({ definition, root }: ServerOptions, rpc: MessageConnection, close: () => Promise<void>) {
    this.name = definition.name;
    this.root = root;
    this.#languages = definition.languages;
    this.#rpc = rpc;
    this.#close = close;
  }

  /** Starts the program and waits until it is ready. Throws with the reason if it cannot be used. */
  static async start(
    options: ServerOptions,
    onProcess: (process: Pick<StdioProcess, "pid" | "tag" | "close">) => void,
  ): Promise<LanguageServer> {
    const { definition, start, onEnd, report } = options;
    let reports = 0;
    const { rpc, process } = await connectLanguageServer(start, {
      onNoise: (text) => {
        if (reports++ < MAX_NOISE_REPORTS) report(`the language server ${definition.name} printed: ${text.slice(0, 200)}`);
      },
      onEnd: (why) => {
        server.published.end();
        onEnd(why);
      },
    });
    onProcess(process);
    const server: LanguageServer = new LanguageServer(options, rpc, () => process.close());
    try {
      await server.#initialize(definition.initialization);
    } catch (error) {
      await process.close();
      throw error;
    }
    return server;
  }

  get capabilities(): lsp.ServerCapabilities {
    return this.#capabilities;
  }

  async #initialize(initialization: Readonly<Record<string, unknown>>): Promise<void> {
    const rpc = this.#rpc;
    rpc.onNotification("textDocument/publishDiagnostics", (params: lsp.PublishDiagnosticsParams) => {
      const file = toFile(params.uri);
      if (file !== undefined) this.published.put(file, params.diagnostics, params.version);
    });
    rpc.onNotification("$/progress", ({ token, value }: { token: string | number; value: { kind?: string } }) =>
      this.published.progress(String(token), value.kind !== "end"),
    );
    rpc.onRequest("workspace/configuration", ({ items }: lsp.ConfigurationParams) => items.map(() => null));
    rpc.onRequest("workspace/workspaceFolders", () => [this.#folder()]);
    rpc.onRequest("workspace/applyEdit", () => ({ applied: false }));
    for (const method of ANSWERED_WITH_NULL) rpc.onRequest(method, () => null);
    rpc.listen();
    const answer = await this.request<lsp.InitializeResult>(
      "initialize",
      {
        processId: null, // a server in a sandbox cannot see the daemon and would stop
        clientInfo: { name: "baton" },
        rootUri: toUri(this.root),
        rootPath: this.root,
        workspaceFolders: [this.#folder()],
        capabilities: CAPABILITIES,
        initializationOptions: initialization,
      },
      START_MS,
    );
    this.#capabilities = answer.capabilities;
    await this.#rpc.sendNotification("initialized", {});
  }

  #folder(): lsp.WorkspaceFolder {
    return { uri: toUri(this.root), name: path.basename(this.root) };
  }

  /** Sends a request. A server that does not answer in time hangs, so it is stopped. */
  async request<T>(method: string, params: object, withinMs = REQUEST_MS): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${this.name} did not answer ${method} within ${withinMs / 1_000} seconds`)), withinMs);
    try {
      return await Promise.race([this.#rpc.sendRequest<T>(method, params), late]);
    } catch (error) {
      if (error instanceof Error && error.message.includes("did not answer")) await this.#close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The text that the server has of a file, if it is open. */
  textOf(file: string): string | undefined {
    return this.#documents.get(file)?.text;
  }

  get openFiles(): readonly string[] {
    return [...this.#documents.keys()];
  }

  /** Gives the server this text of a file. True if it is another text than before. */
  async sync(file: string, text: string, stamp?: string): Promise<boolean> {
    const known = this.#documents.get(file);
    if (known) this.#documents.delete(file); // the most recently used file is the last one
    const document = { version: (known?.version ?? 0) + (known?.text === text ? 0 : 1), text, stamp };
    this.#documents.set(file, document);
    if (known?.text === text) return false;
    this.published.expect(file, document.version);
    const uri = toUri(file);
    if (known)
      await this.#rpc.sendNotification("textDocument/didChange", {
        textDocument: { uri, version: document.version },
        contentChanges: [{ text }],
      });
    else {
      const extension = path.extname(file).toLowerCase();
      const languageId = this.#languages[extension] ?? languageIdOf(extension);
      await this.#rpc.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId, version: document.version, text } });
    }
    return true;
  }

  /** Opens a file with its text on the disk, or updates it. False if it cannot be read. */
  async syncFromDisk(file: string): Promise<boolean> {
    try {
      if (isBelow(file, this.root) && !isBelow(await realpath(file), this.root)) return false; // a link that an agent may have made
      const stats = await stat(file);
      if (!stats.isFile() || stats.size > MAX_TEXT) return false;
      const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
      if (this.#documents.get(file)?.stamp === stamp) return true;
      await this.sync(file, await readFile(file, "utf8"), stamp);
      return true;
    } catch {
      return false;
    }
  }

  /** Updates the open files that changed on the disk, and closes those that were removed. */
  async refresh(except: ReadonlySet<string>): Promise<void> {
    for (const file of this.openFiles) if (!except.has(file) && !(await this.syncFromDisk(file))) await this.closeFile(file);
  }

  async closeFile(file: string): Promise<void> {
    if (!this.#documents.delete(file)) return;
    this.published.forget(file);
    await this.#rpc.sendNotification("textDocument/didClose", { textDocument: { uri: toUri(file) } });
  }

  /** Informs the server about files that were written or removed. */
  async announce(files: readonly { file: string; kind: "created" | "changed" | "deleted" }[]): Promise<void> {
    const types = { created: 1, changed: 2, deleted: 3 } as const;
    await this.#rpc.sendNotification("workspace/didChangeWatchedFiles", {
      changes: files.map(({ file, kind }) => ({ uri: toUri(file), type: types[kind] })),
    });
    for (const { file, kind } of files)
      if (kind !== "deleted" && this.#documents.has(file))
        await this.#rpc.sendNotification("textDocument/didSave", { textDocument: { uri: toUri(file) }, text: this.textOf(file) });
  }

  /** Closes the files that were not used for the longest time. */
  async closeUnused(inUse: ReadonlySet<string>): Promise<void> {
    const unused = this.openFiles.filter((file) => !inUse.has(file));
    for (const file of unused.slice(0, Math.max(0, this.#documents.size - MAX_OPEN))) await this.closeFile(file);
  }

  /** Asks the server to stop, and ends it if it does not. */
  async close(): Promise<void> {
    const asked = this.request("shutdown", {}, STOP_MS).then(() => this.#rpc.sendNotification("exit"));
    await asked.catch(() => undefined); // it is ended in any case
    await this.#close();
  }
}

export const toUri = (file: string): string => pathToFileURL(file).href;

/** The path of a file. Undefined for other addresses. */
export function toFile(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

const ANSWERED_WITH_NULL = [
  "client/registerCapability",
  "client/unregisterCapability",
  "window/workDoneProgress/create",
  "window/showMessageRequest",
  "window/showDocument",
  "workspace/diagnostic/refresh",
  "workspace/semanticTokens/refresh",
  "workspace/inlayHint/refresh",
  "workspace/codeLens/refresh",
];

const CAPABILITIES: lsp.ClientCapabilities = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true },
  workspace: {
    workspaceFolders: true,
    configuration: true,
    workspaceEdit: { documentChanges: true },
    symbol: {},
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: { dynamicRegistration: false },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    rename: { prepareSupport: true },
  },
};

/** Whether an absolute path is below a folder. */
export function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}
