import { builtinModes } from "@baton/core/mode/builtin-modes";
import { rulesOfMode } from "@baton/core/mode/mode-rules";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Mode } from "@baton/core/protocol/mode";
import { expect, test } from "vitest";
import { builtinTools } from "../../tool/builtin-tools.ts";
import { offerTools } from "../../tool/offer-tools.ts";
import { defaultAvailability } from "../../tool/tool-availability.ts";
import { offeredModes } from "./offered-modes.ts";

const builtin = (slug: string): Mode => {
  const mode = builtinModes.find((each) => each.slug === slug);
  if (!mode) throw new Error(`there is no mode ${slug}`);
  return mode;
};

function named(mode: Mode, others: readonly Mode[] = []): string[] {
  const rules = stackLayers({ mode: rulesOfMode(mode, { everyModeSwitches: false }), user: [], workspace: [], session: [] });
  const { offered } = offerTools(builtinTools, rules, { ...defaultAvailability, mode: mode.slug });
  return offeredModes(mode, offered, rules, [...builtinModes, ...others]).map(({ slug, only }) =>
    only === undefined ? slug : `${slug} ${only}`,
  );
}

const tester: Mode = { ...builtin("code"), slug: "tester", kind: "subagent", whenToUse: "x".repeat(2_000) };

test("only modes that delegate or switch learn the names of other modes", () => {
  const workers = ["code", "architect", "ask", "debug", "build", "plan", "orchestrator", "configuration"].toSorted();
  expect(named(builtin("orchestrator")).toSorted()).toEqual([...workers, "explore"].toSorted());
  expect(named(builtin("coordinator"), [tester]).toSorted()).toEqual([...workers, "explore new_task", "tester new_task"].toSorted());
  expect(named(builtin("code"))).toEqual(["explore"]);
  expect(named(builtin("ask"))).toEqual([]);
});

test("modes that the mode itself may not name are left out, and long descriptions are cut", () => {
  const narrow: Mode = { ...builtin("orchestrator"), subagents: ["tester"] };
  expect(named(narrow, [tester])).toEqual(["tester"]);
  const rules = stackLayers({ mode: rulesOfMode(narrow, { everyModeSwitches: false }), user: [], workspace: [], session: [] });
  const { offered } = offerTools(builtinTools, rules, { ...defaultAvailability, mode: narrow.slug });
  expect(offeredModes(narrow, offered, rules, [tester])[0]?.use).toHaveLength(500);
});
