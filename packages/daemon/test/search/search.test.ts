import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import Driver from "libsql";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { checkStore } from "../../src/store/store-maintenance.ts";
import { SEARCH_TABLE } from "../../src/store/search/search-index.ts";
import { rebuildProjections } from "../../src/store/rebuild-projections.ts";
import type { Api } from "../../src/client/index.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";
import { storeServer, StoreServer } from "../support/fault/store-server.ts";

const call = (tool: string, input: object) => ({ tool, input });
const config = { permissions: { edit: "allow", command: "allow" } };
const databaseOf = (daemon: TestDaemon): string => path.join(daemon.home, "baton.db");

type Input = Parameters<Api["session"]["search"]["query"]>[0];

const search = (daemon: TestDaemon, input: Input | string) =>
  daemon.connect().api.session.search.query(typeof input === "string" ? { query: input } : input);

/** The sessions that a search finds, each once. */
const found = async (daemon: TestDaemon, input: Input | string): Promise<string[]> => [
  ...new Set((await search(daemon, input)).matches.map(({ sessionId }) => sessionId)),
];

const plain = (snippet: readonly { text: string; hit: boolean }[]): string =>
  snippet.map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");

/** A session with one prompt, whose model replies with these steps. */
async function talk(daemon: TestDaemon, prompt: string, steps: Parameters<typeof script>[1], mode = "code"): Promise<TestSession> {
  const session = await daemon.session({ mode, model: script(daemon, steps) });
  await session.runTurn(prompt);
  return session;
}

/** Opens the store of a stopped daemon. */
function inStore(daemon: TestDaemon, sql: string): unknown[] {
  const driver = new Driver(databaseOf(daemon), { timeout: 5_000 });
  try {
    if (sql.startsWith("SELECT")) return driver.prepare(sql).all([]);
    driver.exec(sql);
    return [];
  } finally {
    driver.close();
  }
}

test("a search finds prompts, answers, commands, outputs and paths, as soon as they are committed", async () => {
  await using daemon = await TestDaemon.start({ config });
  const first = await talk(daemon, "Where does the kumquat round?", [
    {
      text: "I look.",
      calls: [
        call("run_command", { command: "echo tamar''illo && printf %s pep" }),
        call("write_file", { path: "src/feijoa.ts", content: "x\n" }),
      ],
    },
    { text: "The physalis rounds in feijoa." },
  ]);
  const second = await talk(daemon, "Something else", [{ text: "A kumquat again." }], "ask");

  const kinds = async (query: string) => (await search(daemon, query)).matches.map(({ kind, snippet }) => `${kind}: ${plain(snippet)}`);
  expect(await kinds("KUMQUAT")).toEqual(["answer: A [kumquat] again.", "prompt: Where does the [kumquat] round?"]);
  expect(await kinds("physalis round")).toEqual(["answer: The [physalis] [rounds] in feijoa."]);
  expect(await kinds('"physalis round"')).toEqual(["answer: The [physalis rounds] in feijoa."]);
  expect(await kinds("tamarillo")).toEqual([expect.stringMatching(/^output: .*\[tamarillo\]/)]);
  expect(await kinds("printf pep")).toEqual([expect.stringMatching(/^command: /)]);
  expect((await kinds("src/feijoa.ts")).every((line) => line === "file: [src/feijoa.ts]")).toBe(true);
  expect(await kinds('"rounds physalis"')).toEqual([]);

  const [match] = (await search(daemon, "physalis")).matches;
  const answer = first.events.find((event) => event.seq === match?.seq);
  expect(match).toMatchObject({ sessionId: first.id, workspace: daemon.workspace, mode: "code", at: answer?.at });
  expect(answer).toMatchObject({ type: "model.replied", text: "The physalis rounds in feijoa." });

  expect(await found(daemon, { query: "kumquat", file: "feijoa.ts" })).toEqual([first.id]);
  expect(await found(daemon, { query: "kumquat", file: "eijoa.ts" })).toEqual([]);
  expect(await found(daemon, { query: "kumquat", mode: "ask" })).toEqual([second.id]);
  expect(await found(daemon, { query: "kumquat", workspace: "/elsewhere" })).toEqual([]);
  const startOfSecond = second.events[0]?.at ?? 0;
  expect(await found(daemon, { query: "kumquat", since: startOfSecond })).toEqual([second.id]);
  expect(await found(daemon, { query: "kumquat", until: startOfSecond })).toEqual([first.id]);
  expect((await search(daemon, { query: "kumquat", limit: 1 })).matches).toHaveLength(1);
});

test("every text is either a search or gets a clear refusal", async () => {
  await using daemon = await TestDaemon.start({ config });
  const { id } = await talk(daemon, 'say "AND" to the OR* gate', [{ text: "ok" }]);
  for (const query of ['"', "*", "", "x".repeat(900_000), "()", "a ".repeat(400)])
    expect({ query: query.slice(0, 20), refusal: await search(daemon, query).catch(refusalOf) }).toMatchObject({
      refusal: { code: "search_invalid" },
    });
  for (const query of ["AND", "OR*", '"AND', "NOT AND", "gate) OR (1", "NEAR(gate", "words:gate", "'; DROP TABLE event; --", "{gate}"])
    expect(Array.isArray((await search(daemon, query)).matches)).toBe(true);
  expect(await found(daemon, 'AND "OR* gate"')).toEqual([id]);
});

const WORDS = ["alpha", "beta", "gamma", "delta", "src", "cart", "42", "café", "購物車", "it's", "a_b", "x-y"];

test("a search finds the sessions in which grep finds the same words", { timeout: 120_000 }, async () => {
  await using daemon = await TestDaemon.start({ config });
  const sessions: TestSession[] = [];
  for (let i = 0; i < 12; i++) {
    const pick = (n: number) => WORDS.filter((_, at) => (i * 7 + at * (n + 3)) % 5 === 0).join(" ");
    sessions.push(
      await talk(daemon, `prompt ${pick(0)}`, [
        { text: `answer ${pick(1)}`, calls: [call("run_command", { command: `echo '${pick(2).replaceAll("'", "")}'` })] },
        { text: `done ${pick(3)}` },
      ]),
    );
  }
  const { api } = daemon.connect();
  for (const { id } of sessions) {
    const events = (await api.session.open.query({ sessionId: id, tail: 5_000 })).events;
    // The output of `baton export`, without the events that a search leaves out.
    const exported = events.filter(({ type }) => /^(prompt.received|model.replied|tool.finished|session.renamed)$/.test(type));
    daemon.write(`exports/${id}.jsonl`, exported.map((event) => `${JSON.stringify(event)}\n`).join(""));
  }
  let matched = 0;
  for (const word of [...WORDS, "nowhere"]) {
    const grep = spawnSync("grep", ["-rliwF", "--", word, "exports"], { cwd: daemon.workspace, encoding: "utf8" });
    const expected = grep.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((file) => path.basename(file, ".jsonl"));
    expect({ word, sessions: (await found(daemon, { query: word, limit: 200 })).toSorted() }).toEqual({
      word,
      sessions: expected.toSorted(),
    });
    matched += expected.length;
  }
  expect(matched).toBeGreaterThan(40);
});

test("a deleted session is not found, and its words are removed from the file", async () => {
  await using daemon = await TestDaemon.start({ config });
  const gone = await talk(daemon, "the quokka speaks", [{ text: "quokka" }]);
  const remaining = await talk(daemon, "a wombat and a quokka", [{ text: "wombat" }]);
  await daemon.connect().api.session.delete.mutate({ sessionId: gone.id, commandId: crypto.randomUUID() });
  expect(await found(daemon, "quokka")).toEqual([remaining.id]);
  await daemon.connect().api.session.delete.mutate({ sessionId: remaining.id, commandId: crypto.randomUUID() });
  expect(await found(daemon, "wombat")).toEqual([]);
  await daemon.kill("SIGTERM");
  expect(readFileSync(databaseOf(daemon)).includes("quokka")).toBe(false);
  expect(inStore(daemon, "SELECT * FROM search_session")).toEqual([]);
});

const damages: Record<string, string> = {
  "is missing": `DROP TABLE ${SEARCH_TABLE}`,
  "lacks a part": `DROP TABLE ${SEARCH_TABLE}_data`,
  "is scribbled over": `UPDATE ${SEARCH_TABLE}_data SET block = x'ff'`,
  "is of an older version": `DROP TABLE ${SEARCH_TABLE}; CREATE VIRTUAL TABLE search_0 USING fts5(words)`,
  "is only half built": `DROP TABLE ${SEARCH_TABLE}; CREATE VIRTUAL TABLE ${SEARCH_TABLE} USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii');
    UPDATE search_session SET pending = (SELECT max(seq) FROM event WHERE stream_id = session_id)`,
};

test.each(Object.keys(damages))("an index that %s is built again from the log while sessions continue", async (damage) => {
  await using daemon = await TestDaemon.start({ config });
  const session = await talk(daemon, "the numbat", [{ text: "one" }, { text: "two bilbies" }]);
  await daemon.kill("SIGTERM");
  inStore(daemon, damages[damage] ?? "");
  await daemon.start();
  await session.runTurn("and the potoroo", 2);
  for (const word of ["numbat", "potoroo", "bilbies"])
    await expect.poll(() => found(daemon, word), { timeout: 10_000 }).toEqual([session.id]);
  expect((await search(daemon, "numbat")).unindexed).toBe(0);
  await daemon.kill("SIGTERM");
  expect(checkStore(databaseOf(daemon))).toMatchObject({ ok: true, searchIndex: "sound" });
});

test("an index that breaks under a running daemon stops neither the session nor the store, and is built again", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await talk(daemon, "the numbat", [{ text: "one" }, { text: "two" }, { text: "three" }]);
  const damage = (sql: string) => inStore(daemon, sql);
  damage(`DROP TABLE ${SEARCH_TABLE}_data`);
  await session.runTurn("and the potoroo", 2);
  await expect.poll(() => found(daemon, "potoroo").catch(() => []), { timeout: 10_000 }).toEqual([session.id]);
  damage(`UPDATE ${SEARCH_TABLE}_data SET block = x'ff'`);
  await search(daemon, "numbat").catch(() => undefined); // it may use its memory, or notice the damage
  await session.runTurn("and the quoll", 3);
  await expect.poll(() => found(daemon, "quoll").catch(() => []), { timeout: 10_000 }).toEqual([session.id]);
  expect(await found(daemon, "numbat")).toEqual([session.id]);
});

test("db check tells a broken index from a damaged store, and db rebuild builds it again", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await talk(daemon, "the numbat", [{ text: "one" }]);
  await daemon.kill("SIGTERM");
  inStore(daemon, `UPDATE ${SEARCH_TABLE}_data SET block = x'0102030405060708090a' WHERE id > 10`);
  expect(checkStore(databaseOf(daemon))).toMatchObject({ ok: true, searchIndex: "broken", problems: [] });
  await rebuildProjections(databaseOf(daemon));
  expect(checkStore(databaseOf(daemon))).toMatchObject({ ok: true, searchIndex: "sound" });
  expect(inStore(daemon, "SELECT pending FROM search_session WHERE pending > 0")).toEqual([]);
  await daemon.start();
  expect(await found(daemon, "numbat")).toEqual([session.id]);
});

test("a search finds a fork by its repeated texts, and finds a subtask separately", async () => {
  await using daemon = await TestDaemon.start({ config });
  const session = await talk(daemon, "the numbat", [{ text: "one" }]);
  const { id } = await daemon.connect().api.session.fork.mutate({ sessionId: session.id, commandId: crypto.randomUUID() });
  expect(await found(daemon, "numbat")).toEqual([id, session.id]);
});

test.runIf(storeServer)("a store on a server can be searched as well", { timeout: 60_000 }, async () => {
  await using server = await StoreServer.start();
  await using daemon = await TestDaemon.start({ config, env: { BATON_DATABASE_URL: server.url } });
  const session = await talk(daemon, "the numbat", [{ text: "two bilbies" }]);
  expect(await found(daemon, "numbat")).toEqual([session.id]);
  expect((await search(daemon, "bilb")).matches.map(({ snippet }) => plain(snippet))).toEqual(["two [bilbies]"]);
  await daemon.connect().api.session.delete.mutate({ sessionId: session.id, commandId: crypto.randomUUID() });
  expect(await found(daemon, "numbat")).toEqual([]);
});
