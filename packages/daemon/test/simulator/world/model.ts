import type { ModelFault } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import type { Model, ModelReply } from "../../../src/model/model-port.ts";
import { planPath } from "../../../src/session/plan-path.ts";
import type { Run } from "../run.ts";
import { drawCalls } from "./script.ts";

const usage = { input: 10, cachedInput: 0, output: 5, cost: 0.4 };

/** A model with random replies that fails, hangs and breaks off as models do. Once it is calm it ends each turn. */
export function simModel(run: Run): Model {
  const { scheduler, draws, clock } = run;
  return async ({ sessionId, step, messages, tools, purpose }, onPart, signal) => {
    run.promises.asked(sessionId, messages);
    const name = `${sessionId} step ${step}`;
    const offered = tools.map((tool) => tool.name);
    let words = 0;
    const say = () => {
      words++;
      onPart({ type: "text", text: "word " });
    };
    onPart({ type: "spending", soFar: () => (words === 0 ? undefined : { ...usage, output: words, estimated: words }) });
    for (let parts = run.calm ? 0 : draws.below(3); parts > 0; parts--)
      await scheduler.step(`the model speaks, ${name}`, () => say(), { signal });
    const how = run.calm ? "says" : draws.weighted({ says: 24, calls: 60, fails: 5, refuses: 2, hangs: 2 });
    const reply = (more: Partial<ModelReply>) =>
      scheduler.step(`the model answers, ${name}`, () => ({ text: "So it is.", calls: [], usage, finish: "stop", ...more }), { signal });
    const fails = (code: ModelFault) => {
      run.fault(`the model fails: ${code}`);
      return scheduler.step(`the model fails, ${name}`, () => ({ failed: { code, message: code } }), { signal });
    };
    if (purpose) return run.calm || draws.happens(800) ? reply({ text: "In short." }) : fails("overloaded");
    switch (how) {
      case "says":
        return reply(draws.happens(300) ? { text: "So it is, and more. ".repeat(400) } : {});
      case "calls":
        return reply({ calls: drawCalls(draws, offered, planPath(sessionId as SessionId)), finish: "tool_calls" });
      case "fails":
        return fails(draws.pick(["overloaded", "cut", "rate_limited", "malformed", "overflow"]));
      case "refuses":
        return fails("bad_request");
      case "hangs":
        await clock.wait(120_000, signal);
        return fails("timeout");
    }
  };
}
