import { realpathSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Api } from "../../src/client/index.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const edits = { permissions: { edit: "allow" } };
const replace = (old_text: string, new_text: string) => ({ calls: [{ tool: "edit_file", input: { path: "a.txt", old_text, new_text } }] });
const write = (content: string) => ({ calls: [{ tool: "write_file", input: { path: "a.txt", content } }] });
const read = { calls: [{ tool: "read_file", input: { path: "a.txt" } }] };
const end = { text: "Done." };

/** An editor with one open file, as the daemon knows it. */
class TestEditor implements Disposable {
  readonly file: string;
  readonly written: number[] = [];
  readonly #api: Api;
  readonly #following: { unsubscribe: () => void };
  #holder = "";
  #wake: () => void = () => undefined;
  #version = 0;

  private constructor(api: Api, file: string, held: () => void) {
    this.file = file;
    this.#api = api;
    this.#following = api.buffer.follow.subscribe(undefined, {
      onData: (news) => {
        if (news.kind === "held") this.#holder = news.holder;
        else this.written.push(news.version);
        held();
        this.#wake();
      },
    });
  }

  static async open(daemon: TestDaemon, client = "editor"): Promise<TestEditor> {
    return new Promise((opened) => {
      const editor = new TestEditor(daemon.connect(client).api, path.join(daemon.workspace, "a.txt"), () => opened(editor));
    });
  }

  /** Changes the unsaved text. Returns its version. */
  async type(text: string, pieces: readonly string[] = [text]): Promise<number> {
    const version = ++this.#version;
    let from = 0;
    for (const [i, piece] of pieces.entries()) {
      await this.#api.buffer.put.mutate({
        holder: this.#holder,
        path: this.file,
        version,
        from,
        text: piece,
        last: i === pieces.length - 1,
      });
      from += piece.length;
    }
    return version;
  }

  drop(): Promise<void> {
    return this.#api.buffer.drop.mutate({ holder: this.#holder, path: this.file });
  }

  async untilWritten(): Promise<void> {
    while (this.written.length === 0) await new Promise<void>((wake) => (this.#wake = wake));
  }

  [Symbol.dispose](): void {
    this.#following.unsubscribe();
  }
}

const resultsOf = ({ finished }: TestSession) => finished.map(({ result }) => result);

test("Baton reads a file as it is in the editor, until the editor closes it", async () => {
  await using daemon = await TestDaemon.start();
  daemon.write("a.txt", "\uFEFFone\n");
  using editor = await TestEditor.open(daemon);
  await editor.type("one\nmine\n", ["one\n", "mi", "ne\n"]);
  const session = await daemon.session({ model: script(daemon, [read, end, read, end]) });
  await session.runTurn("look");
  await editor.drop();
  await session.runTurn("look again", 2);
  expect(resultsOf(session).map(({ text }) => text.replaceAll("\uFEFF", ""))).toEqual(["1\tone\n2\tmine", "1\tone"]);
  expect(daemon.read("a.txt")).toBe("\uFEFFone\n");
});

test("a change of an unsaved file asks although the rules allow it, shows the difference to the unsaved text, and changes that text", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  daemon.write("a.txt", "one\n");
  using editor = await TestEditor.open(daemon);
  const version = await editor.type("one\nmine\n");
  const session = await daemon.session({ model: script(daemon, [replace("mine", "ours"), read, end]) });
  await session.prompt("go");
  const request = await session.untilOpen();
  expect(request.rule).toMatchObject({ layer: "gate", source: "unsaved changes in editor" });
  expect(request.choices.map(({ id }) => id)).toEqual(["once", "deny"]);
  expect(request.view).toMatchObject({ type: "diff", hunks: [{ lines: [" one", "-mine", "+ours"] }] });
  await session.answer({ choice: "once" });
  await Promise.all([session.untilEnd(), editor.untilWritten()]);
  expect([daemon.read("a.txt"), editor.written]).toEqual(["one\nours\n", [version]]);
  expect(resultsOf(session).at(-1)?.text).toBe("1\tone\n2\tours");
});

test("a rule for exactly this file does not answer the request, and a new text after the request asks again", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: { "*": "ask", "a.txt": "allow" } } } });
  daemon.write("a.txt", "one\n");
  using editor = await TestEditor.open(daemon);
  await editor.type("first\n");
  const session = await daemon.session({ model: script(daemon, [write("all new\n"), end]) });
  await session.prompt("go");
  const before = await session.untilOpen();
  await editor.type("second\n");
  await session.answer({ choice: "once" });
  await session.until("another request", ({ state }) => state.counts.opened === 2);
  const after = await session.untilOpen();
  expect(after.hash).not.toBe(before.hash);
  expect(after.view).toMatchObject({ hunks: [{ lines: ["-second", "+all new"] }] });
  await session.answer({ choice: "deny" });
  await session.untilEnd();
  expect([daemon.read("a.txt"), editor.written]).toEqual(["one\n", []]);
});

test("an undo restores the unsaved text, and does not touch a file that became unsaved later", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  using editor = await TestEditor.open(daemon);
  const changed = async () => {
    daemon.write("a.txt", "one\n");
    await editor.type("mine\n");
    const session = await daemon.session({ model: script(daemon, [replace("mine", "ours"), end]) });
    await session.prompt("go");
    await session.untilOpen();
    await session.answer({ choice: "once" });
    await session.untilEnd();
    await editor.drop();
    return session;
  };
  const undone = async (session: TestSession) => {
    await session.wish({ type: "undo", conversation: false });
    await session.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
    return [session.events.findLast(({ type }) => type === "undo.finished"), daemon.read("a.txt")];
  };
  expect(await undone(await changed())).toMatchObject([{ restored: ["a.txt"], left: [] }, "mine\n"]);

  const session = await changed();
  await editor.type("more\n");
  expect(await undone(session)).toMatchObject([{ restored: [], left: [{ path: "a.txt" }] }, "ours\n"]);
});

test("Baton refuses a write that it cannot merge safely: after more typing, a change on disk, or unsaved text in two editors", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  daemon.write("a.txt", "one\n");
  using editor = await TestEditor.open(daemon);
  await editor.type("mine\n");
  const session = await daemon.session({
    model: script(daemon, [write("first\n"), end, write("second\n"), end, write("third\n"), end]),
  });
  const allowed = async (turn: number) => {
    await session.prompt("go");
    await session.untilOpen();
    await session.answer({ choice: "once" });
    await session.untilEnd(turn);
    const result = resultsOf(session).at(-1);
    return `${result?.outcome}: ${result?.text}`;
  };
  expect(await allowed(1)).toMatch(/^ok: /);

  await editor.type("typed before the news came\n");
  expect(await allowed(2)).toMatch(/^failed: .*the file on the disk has changed since/);
  expect(daemon.read("a.txt")).toBe("first\n");

  using other = await TestEditor.open(daemon, "other");
  await editor.drop();
  await editor.type("here\n");
  await other.type("there\n");
  expect(await allowed(3)).toMatch(/^failed: .*in two places \(editor, other\)/);
  expect(daemon.read("a.txt")).toBe("first\n");
});

test("the daemon forgets an editor's texts with its connection, and neither reads nor overwrites a text that is too large", async () => {
  await using daemon = await TestDaemon.start({ config: edits });
  daemon.write("a.txt", "one\n");
  const session = await daemon.session({ model: script(daemon, [read, write("x\n"), end, read, write("y\n"), end]) });
  const connection = daemon.connect("editor");
  const held = new Promise<string>((got) => {
    connection.api.buffer.follow.subscribe(undefined, { onData: (news) => news.kind === "held" && got(news.holder) });
  });
  const [holder, file] = [await held, path.join(realpathSync(daemon.workspace), "a.txt")];
  const piece = "m".repeat(150_000);
  for (let from = 0; from <= 10 * 1024 * 1024; from += piece.length)
    await connection.api.buffer.put.mutate({ holder, path: file, version: 1, from, text: piece, last: false });
  await session.prompt("go");
  await session.untilOpen();
  await session.answer({ choice: "once" });
  await session.untilEnd(1);
  const [seen, refused] = resultsOf(session).map(({ text }) => text);
  expect(seen).toBe("1\tone");
  expect(refused).toContain("too large to read");

  const { api } = daemon.connect();
  const open = async () => (await api.daemon.status.query()).connections.open;
  const before = await open();
  await connection.close();
  await expect.poll(open).toBe(before - 1);
  await session.runTurn("go", 2);
  expect(resultsOf(session).at(-1)).toMatchObject({ outcome: "ok" });
  expect([daemon.read("a.txt"), session.state.counts.opened]).toEqual(["y\n", 1]);
});
