import type { SessionEvent } from "@baton/core/protocol/event";
import type { View } from "@baton/core/protocol/tool-view";
import { pathGate } from "../../src/permission/path.ts";
import { systemClock } from "../../src/system/clock.ts";
import { openBlobs } from "../../src/system/files/blob.ts";
import { openPorts, type OpenPorts } from "../../src/system/open-system-ports.ts";
import type { SearchService } from "../../src/system/web/web-search.ts";
import type { ActingTool, ToolExecutionResult, ToolContext } from "../../src/tool/tool-types.ts";
import { toolByName } from "../../src/tool/builtin-tools.ts";
import { Folder } from "./folder.ts";

/** A real folder with real ports, in which a test can call one tool after the other as the loop would. */
export class Workbench implements AsyncDisposable {
  readonly folder = new Folder();
  readonly notes: SessionEvent[] = [];
  searchService: SearchService | undefined;
  readonly #home = new Folder();
  readonly #stop = new AbortController();
  #calls = 0;
  #ports: OpenPorts | undefined;

  static async open(files: Record<string, string | Uint8Array> = {}): Promise<Workbench> {
    const bench = new Workbench();
    const { path } = bench.#home;
    bench.#ports = await openPorts({
      bootId: `bench-${crypto.randomUUID()}`, // the connection ends with the bench
      folder: path,
      blobs: openBlobs(`${path}/blobs`),
      clock: systemClock,
      env: process.env,
      mayReach: () => false,
    });
    for (const [name, content] of Object.entries(files)) await bench.folder.write(name, content);
    return bench;
  }

  async run(name: string, input: unknown, sessionId = "one"): Promise<ToolExecutionResult> {
    const tool = acting(name);
    return tool.run(tool.input.parse(input), this.#context(sessionId));
  }

  async preview(name: string, input: unknown): Promise<View | undefined> {
    const tool = acting(name);
    return tool.preview?.(tool.input.parse(input), this.#context("one"));
  }

  async beforehand(name: string, input: unknown): Promise<ToolExecutionResult | undefined> {
    const tool = acting(name);
    return tool.beforehand?.(tool.input.parse(input), this.#context("one"));
  }

  #context(sessionId: string): ToolContext {
    if (!this.#ports) throw new Error("the bench is not open");
    const workspace = this.folder.path;
    return {
      ports: this.#ports.of({
        workspace,
        resolve: pathGate(workspace),
        mayRead: (relative) => !relative.endsWith(".env"),
        mayGo: () => ({ refused: "The bench has no network." }),
        searchService: () => this.searchService,
      }),
      cwd: workspace,
      sessionId,
      callId: `s1.${++this.#calls}`,
      programs: [],
      signal: this.#stop.signal,
      output: () => {},
      note: (events) => this.notes.push(...events),
      raw: () => {},
      code: { errors: noServer, find: noServer, outline: noServer, rename: noServer },
      plan: undefined,
      codeSearch: noServer,
      through: undefined,
      configure: () => Promise.reject(new Error("there are no toolsets on the bench")),
      ask: () => Promise.reject(new Error("nobody is at the bench")),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ports?.close();
    this.folder[Symbol.dispose]();
    this.#home[Symbol.dispose]();
  }
}

function acting(name: string): ActingTool {
  const tool = toolByName.get(name);
  if (tool?.kind !== "acting") throw new Error(`${name} is no tool that acts`);
  return tool;
}

const noServer = async () => ({ fault: "There is no language server here." });
