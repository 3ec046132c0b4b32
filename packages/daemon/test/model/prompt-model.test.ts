import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { ModelServer } from "../support/model-server.ts";

const MODELS = ["usual", "session", "mode", "prompt", "chosen"];

/** A daemon that knows five models, with one for mode debug. */
async function daemonOf(model: ModelServer): Promise<TestDaemon> {
  const providers = { local: { kind: "openai-compatible", baseUrl: model.url, models: Object.fromEntries(MODELS.map((id) => [id, {}])) } };
  return TestDaemon.start({ config: { model: "local/usual", providers, modes: { debug: { model: "local/mode" } } } });
}

test("a prompt goes to the model that it names, whatever the session and the mode have, and the next prompt does not", async () => {
  await using model = await ModelServer.start({ replies: Array.from({ length: 200 }, () => ({ text: "Well." })) });
  await using daemon = await daemonOf(model);
  const wrong: string[] = [];
  for (const ofSession of [undefined, "local/session"])
    for (const mode of ["code", "debug"])
      for (const named of [undefined, "local/prompt"])
        for (const chosen of [undefined, "local/chosen"])
          for (const isFirst of [true, false]) {
            const session = await daemon.session({ mode, ...(ofSession ? { model: ofSession } : {}) });
            const asked = async (more: { model?: string; mode?: string }) => {
              const turn = session.state.turns + 1;
              await session.prompt("go", more);
              await session.untilEnd(turn);
              return model.requests.at(-1)?.model;
            };
            if (chosen) await session.wish({ type: "chooseModel", model: chosen });
            if (!isFirst) await asked({});
            const usual = chosen ?? ofSession ?? (mode === "debug" ? "local/mode" : undefined);
            const label = JSON.stringify({ ofSession, mode, named, chosen, isFirst });
            const got = await asked(named ? { model: named } : {});
            const meant = (named ?? usual ?? "local/usual").slice("local/".length);
            if (got !== meant) wrong.push(`${label}: ${got}, not ${meant}`);
            const after = await asked({});
            const then = (usual ?? named ?? "local/usual").slice("local/".length);
            if (after !== then) wrong.push(`${label}, the prompt after it: ${after}, not ${then}`);
            session[Symbol.dispose]();
          }
  expect(wrong).toEqual([]);
});

test("a prompt that names a model and a mode goes to that model in that mode, and so does its whole turn", async () => {
  await using model = await ModelServer.start({
    replies: [{ text: "Well." }, { calls: [{ tool: "read_file", input: { path: "a.txt" } }] }, { text: "Done." }],
  });
  await using daemon = await daemonOf(model);
  const session = await daemon.session({ mode: "code", model: "local/session" });
  await session.runTurn("hi");
  await session.runTurn("go", 2, { mode: "debug", model: "local/prompt" });
  expect(model.requests.map((request) => request.model)).toEqual(["session", "prompt", "prompt"]);
  expect(session.state.mode).toBe("debug");
});
