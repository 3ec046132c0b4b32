import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openHome, type Home } from "./support/home.ts";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const fixture = fileURLToPath(new URL("../../daemon/test/support/mcp/mcp-server.ts", import.meta.url));

type Message = {
  id?: number | string | null;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

/** A client of `baton mcp serve` that sends and reads single lines. */
class Served implements AsyncDisposable {
  readonly messages: Message[] = [];
  readonly ended: Promise<number | null>;
  readonly #program;
  #onMessage = () => {};

  constructor(home: Home) {
    this.#program = spawn(process.execPath, [main, "mcp", "serve"], {
      cwd: home.workspace,
      env: home.env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.ended = new Promise((done) => this.#program.once("exit", done));
    createInterface({ input: this.#program.stdout }).on("line", (line) => {
      this.messages.push(JSON.parse(line) as Message);
      this.#onMessage();
    });
  }

  say(message: object | string): void {
    this.#program.stdin.write(`${typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  endInput(): void {
    this.#program.stdin.end();
  }

  async answerTo(id: number | string | null): Promise<Message> {
    for (;;) {
      const found = this.messages.find((message) => message.id === id && message.method === undefined);
      if (found) return found;
      await new Promise<void>((done) => (this.#onMessage = done));
    }
  }

  async ask(id: number | string, method: string, params: object = {}): Promise<Message> {
    this.say({ id, method, params });
    return this.answerTo(id);
  }

  async begin(): Promise<void> {
    await this.ask("init", "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "host", version: "1" } });
    this.say({ method: "notifications/initialized" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#program.kill("SIGKILL");
    await this.ended;
  }
}

const toolsOf = ({ result }: Message): string[] => ((result?.["tools"] ?? []) as { name: string }[]).map(({ name }) => name);

test("a host keeps its tools each time the daemon dies, and an open call gets an answer", async () => {
  await using home = openHome();
  await home.run(["mcp", "add", "good", "--", process.execPath, fixture, "good"]);
  await using served = new Served(home);
  await served.begin();
  const before = toolsOf(await served.ask(1, "tools/list"));
  for (const round of [1, 2, 3]) {
    served.say({
      id: `slow ${round}`,
      method: "tools/call",
      params: { name: "build-toolset", arguments: { name: `t${round}`, tools: [{ namespacedName: "good__say" }] } },
    });
    await served.ask(`ping ${round}`, "ping");
    process.kill(home.daemonPid(), "SIGKILL");
    expect((await served.answerTo(`slow ${round}`)).error).toMatchObject({
      code: -32_000,
      message: expect.stringContaining("The Baton daemon ended") as string,
    });
    expect(toolsOf(await served.ask(`list ${round}`, "tools/list"))).toEqual(before);
  }
  for (const what of ["tools", "resources", "prompts"])
    expect(served.messages.filter(({ method }) => method === `notifications/${what}/list_changed`).length).toBeGreaterThanOrEqual(3);
  expect(served.messages.filter(({ id }) => id === "init")).toHaveLength(1);
});

const tooLong = { code: -32_600, message: "The message is longer than 10 MB." };

test.each([
  [9, undefined],
  [10, tooLong],
  [11, tooLong],
  [30, tooLong],
])("a line of %d MB gets an answer, and so does the next request", async (megabytes, error) => {
  await using home = openHome();
  await using served = new Served(home);
  await served.begin();
  const text = "x".repeat(megabytes * 1024 * 1024 - 200);
  served.say({ id: 7, method: "tools/call", params: { name: "no-such-tool", arguments: { text } } });
  expect((await served.answerTo(7)).error).toEqual(error);
  served.say("x".repeat(megabytes * 1024 * 1024));
  expect(await served.ask(8, "ping")).toMatchObject({ result: {} });
});

test("the program ends at the end of its input, even while a call waits for the user", async () => {
  await using home = openHome();
  await home.run(["mcp", "add", "good", "--", process.execPath, fixture, "good"]);
  for (const isWaiting of [false, true]) {
    await using served = new Served(home);
    await served.begin();
    await served.ask(1, "tools/list");
    if (isWaiting)
      served.say({
        id: 2,
        method: "tools/call",
        params: { name: "build-toolset", arguments: { name: "t", tools: [{ namespacedName: "good__say" }] } },
      });
    served.endInput();
    expect(await served.ended).toBe(0);
  }
});

test("a request that a client sent before it closed its input gets an answer", async () => {
  await using home = openHome();
  await using served = new Served(home);
  await served.begin();
  for (const id of [1, 2, 3]) served.say({ id, method: "tools/list" });
  served.endInput();
  expect(await served.ended).toBe(0);
  for (const id of [1, 2, 3]) expect((await served.answerTo(id)).result).toHaveProperty("tools");
});
