import { afterAll, describe, expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import type { Format, WireReply } from "../support/wire/format.ts";
import { formats, keys } from "../support/wire/index.ts";
import { WireServer, type WireFault } from "../support/wire/server.ts";

const servers = await Promise.all(formats.map((format) => WireServer.start(format, { replies: [] })));
const daemon = await TestDaemon.start({
  config: { providers: Object.fromEntries(servers.map(({ format, provider }) => [format.kind, provider])) },
  env: keys,
});
afterAll(() => Promise.all([daemon, ...servers].map((each) => each[Symbol.asyncDispose]())));

async function turn(format: Format, replies: WireReply[], fault: (nth: number) => WireFault | undefined = () => undefined) {
  const server = servers.find((each) => each.format === format);
  if (!server) throw new Error(`there is no server for ${format.kind}`);
  server.begin({ replies, fault });
  using session = await daemon.session({ model: `${format.kind}/${format.model}` });
  await session.runTurn("go");
  expect(server.violations).toEqual([]);
  return { session, server, results: session.finished.map(({ result }) => result) };
}

const spoken = formats.filter(({ kind }) => kind !== "google"); // whose arguments are text

describe.each(spoken)("$kind", (format) => {
  test.each<[string, NonNullable<WireReply["calls"]>[number], RegExp]>([
    ["half a JSON", { tool: "read_file", raw: '{"path": "a' }, /not a complete JSON object/],
    ["a list", { tool: "read_file", raw: '["a"]' }, /not a complete JSON object/],
    ["null", { tool: "read_file", raw: "null" }, /not a complete JSON object/],
  ])("a call with %s gets the error as its result, and is sent back unchanged", async (_, call, says) => {
    const { results, server, session } = await turn(format, [{ text: "Hm.", calls: [call] }, { text: "I see." }]);
    expect(results).toMatchObject([{ outcome: "failed", text: expect.stringMatching(says) as unknown }]);
    expect(JSON.stringify(server.seen[1]?.body)).toContain("unparsed_arguments");
    expect(session.state.lastTurn?.reason).toBe("completed");
  });
});

describe.each(formats)("$kind", (format) => {
  test("a call of a wrong type, one of an unknown tool and a valid one get separate answers", async () => {
    const calls = [
      { tool: "read_file", input: { path: 7 } },
      { tool: "fly", input: {} },
      { tool: "list_files", input: {} },
    ];
    const { results, session } = await turn(format, [{ calls }, { text: "I see." }]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "ok"]);
    expect(session.state.lastTurn?.reason).toBe("completed");
  });

  test("repeated ids, in one reply and in the next, stay separate calls", async () => {
    const same = { tool: "list_files", input: {}, id: "same" };
    const { results, session } = await turn(format, [{ calls: [same] }, { calls: [same] }, { text: "Done." }]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
    expect(session.state.lastTurn?.reason).toBe("completed");
    const twice = await turn(format, [{ calls: [same, { ...same, tool: "glob", input: { pattern: "*" } }] }, { text: "Done." }]);
    expect(twice.results.length).toBeGreaterThan(0);
    expect(twice.session.state.lastTurn?.reason).toBe("completed");
  });

  test("an answer without text is a failure, and after other text it ends the work", async () => {
    const { session } = await turn(format, [{ text: "" }]);
    expect(session.state.lastTurn).toMatchObject({ reason: "failed", message: expect.stringContaining("reply was empty") as unknown });
    const silent = await turn(format, [{ text: "I look.", calls: [{ tool: "list_files", input: {} }] }, { text: "" }]);
    expect(silent.session.state.lastTurn?.reason).toBe("completed");
  });

  test.each([
    ["a web page", "<!doctype html><html><title>Sign in to Wi-Fi</title></html>", "cut", /web page.*\(200.*Sign in to Wi-Fi.*baseUrl/],
    ["an error", '{"error":{"message":"model is overloaded"}}', "overloaded", /\(200\): model is overloaded/],
    ["an error with its status", ' {"error":{"message":"no such key","code":401}}', "unauthorized", /no such key/],
    ["an error in a list", '[{"error":{"message":"slow down","code":429}}]', "rate_limited", /slow down/],
    ["an error without credit", '{"error":{"message":"none left","code":"insufficient_quota"}}', "unauthorized", /quota is used up/],
    ["a whole answer", '{"choices":[{"message":{"content":"Hello."}}]}', "bad_request", /did not stream its answer.*Hello\./],
  ])("%s with a status of success is read", async (_, instead, code, says) => {
    const { session } = await turn(format, [{ text: "x" }], () => ({ instead }));
    const failures = session.events.flatMap((event) => (event.type === "model.failed" ? [event] : []));
    expect(failures[0]).toMatchObject({ code, message: expect.stringMatching(says) as unknown });
    expect(session.state.lastTurn?.reason).toBe("failed");
  });

  test("Baton reads an error in the middle of a stream, and repeats the step", async () => {
    const reply = { text: "I begin to say something." };
    const events = format.eventsOf(reply, 0);
    const begun = events.slice(0, Math.ceil(events.length / 2)).reduce((sum, each) => sum + Buffer.byteLength(each), 0);
    const { session } = await turn(format, [reply], (nth) =>
      nth === 1 ? { after: begun, add: format.errorIn("Overloaded, come back later") } : undefined,
    );
    const failures = session.events.flatMap((event) => (event.type === "model.failed" ? [event] : []));
    expect(failures).toMatchObject([{ code: "overloaded", message: expect.stringContaining("Overloaded, come back later") as unknown }]);
    expect(session.state.lastTurn?.reason).toBe("completed");
  });
});

test.each([0, 1])("the message of response.failed stays, after %i events of the answer", async (after) => {
  const format = formats.find(({ kind }) => kind === "openai");
  if (!format) throw new Error("there is no format for OpenAI's responses");
  const events = format.eventsOf({ text: "Some words." }, 0).slice(0, after === 0 ? 0 : 5);
  const error = { code: "server_error", message: "The GPU caught fire" };
  const failed = { type: "response.failed", sequence_number: 9, response: { id: "r", status: "failed", error } };
  const { session } = await turn(format, [{ text: "x" }], () => ({
    instead: `${events.join("")}event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`,
  }));
  expect(session.state.lastTurn).toMatchObject({ reason: "failed", message: expect.stringContaining("The GPU caught fire") as unknown });
});
