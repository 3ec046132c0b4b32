import { builtinModes } from "@baton/core/mode/builtin-modes";
import { rulesOfMode } from "@baton/core/mode/mode-rules";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { SourcedRule } from "@baton/core/protocol/rule";
import { expect, test } from "vitest";
import { builtinTools } from "./builtin-tools.ts";
import { offerTools } from "./offer-tools.ts";
import { defaultAvailability } from "./tool-availability.ts";

const READ = "read_file list_files search_text glob codebase_search diagnostics find_symbol";
const EDIT = "write_file edit_file apply_patch rename_symbol move_file delete_file";
const WEB = "fetch_url web_search";
const RUN = "run_command command_output stop_command";
const TYPE = "write_to_command";
const ALWAYS = "ask_followup_question update_todo_list skill attempt_completion";

const CHOOSE = "enter-configuration-mode";
const CHOOSING =
  "exit-configuration-mode list-available-tools build-toolset list-saved-toolsets equip-toolset unequip-toolset delete-toolset get-active-toolset add-tool-annotation";

/** Which tools each built-in mode has, made by hand. */
const table: Record<string, string> = {
  code: `${READ} ${EDIT} ${WEB} ${RUN} ${TYPE} new_task ${CHOOSE} ${ALWAYS}`,
  debug: `${READ} ${EDIT} ${WEB} ${RUN} ${TYPE} ${CHOOSE} ${ALWAYS}`,
  build: `${READ} ${EDIT} ${WEB} ${RUN} ${TYPE} enter_plan ${CHOOSE} ${ALWAYS}`,
  architect: `${READ} ${EDIT} ${WEB} ${CHOOSE} ${ALWAYS}`,
  ask: `${READ} ${WEB} ${CHOOSE} ${ALWAYS}`,
  plan: `${READ} ${EDIT} ${WEB} ${RUN} exit_plan ${CHOOSE} ${ALWAYS}`,
  orchestrator: `new_task ${ALWAYS}`,
  coordinator: `${READ} ${WEB} new_task switch_mode coordinate_mode ${CHOOSE} ${ALWAYS}`,
  explore: `${READ} ${WEB} ${ALWAYS}`,
  configuration: `${READ} ${CHOOSING} ${ALWAYS}`,
};

const modes = builtinModes.map((mode) => [mode.slug, mode] as const);
const words = (text: string) => text.split(" ").toSorted();
const everything: SourcedRule = { action: "*", resource: "*", effect: "allow", layer: "user", source: "test" };
const rulesOf = (mode: (typeof builtinModes)[number], user: SourcedRule[], everyModeSwitches = false) =>
  stackLayers({ mode: rulesOfMode(mode, { everyModeSwitches }), user, workspace: [], session: user });

test("every built-in mode is in the table", () => expect(Object.keys(table).toSorted()).toEqual(modes.map(([slug]) => slug).toSorted()));

test.each(modes)("%s offers the tools in the table, whatever the user allows", (slug, mode) => {
  for (const user of [[], [everything]]) {
    const { offered, withheld } = offerTools(builtinTools, rulesOf(mode, user), { ...defaultAvailability, mode: slug });
    expect(offered.map(({ tool }) => tool.name).toSorted()).toEqual(words(table[slug] ?? ""));
    expect(withheld.every(({ reason }) => reason !== "")).toBe(true);
  }
});

test("the effect of a tool that a mode limits to some files is that for these files", () => {
  const [architect] = builtinModes.filter(({ slug }) => slug === "architect");
  if (!architect) throw new Error("there is no architect");
  const effectOf = (user: SourcedRule[]) =>
    offerTools(builtinTools, rulesOf(architect, user), { ...defaultAvailability, mode: "architect" }).offered.find(
      ({ tool }) => tool.name === "edit_file",
    )?.effect;
  expect([effectOf([]), effectOf([everything])]).toEqual(["ask", "allow"]);
});

test.each(modes)("without coordination, %s also has switch_mode, and no other tool", (slug, mode) => {
  const { offered } = offerTools(builtinTools, rulesOf(mode, [everything], true), { ...defaultAvailability, mode: slug });
  expect(offered.map(({ tool }) => tool.name).toSorted()).toEqual([...new Set([...words(table[slug] ?? ""), "switch_mode"])].toSorted());
});

const A_PLAN = ".baton/plans/s.md";

/** The verdict of each mode about a change of a file: `a` asks, `-` is denied. */
const files: Record<string, string> = {
  "src/a.ts": "code debug build",
  "README.md": "code debug build architect",
  "docs/deep/a.md": "code debug build architect",
  "a.md.ts": "code debug build",
  "a.MD": "code debug build",
  ".md": "code debug build architect",
  "notes.mdx": "code debug build",
  [A_PLAN]: "code debug build architect plan",
  ".baton/plans/s.md.sh": "code debug build",
  ".baton/plans/../../src/a.ts": "code debug build",
};

test.each(Object.entries(files))("%s may be changed in %s only", (file, slugs) => {
  const may = modes.filter(([, mode]) => judge(rulesOf(mode, []), "write_file", [{ action: "edit", resource: file }]).effect !== "deny");
  expect(may.map(([slug]) => slug).toSorted()).toEqual(words(slugs));
  const granted = modes.filter(
    ([, mode]) => judge(rulesOf(mode, [everything]), "write_file", [{ action: "edit", resource: file }]).effect === "allow",
  );
  expect(granted.map(([slug]) => slug).toSorted()).toEqual(words(slugs));
});

test.each([
  ["command", "npm test", "code debug build"],
  ["fetch", "https://example.com/", "code debug build architect ask plan coordinator explore"],
  ["new_task", "code", "orchestrator coordinator"],
  ["new_task", "explore", "orchestrator coordinator code"],
  ["switch_mode", "code", "coordinator"],
  ["read", "src/a.ts", "code debug build architect ask plan coordinator configuration explore"],
])("%s of %s is possible in %s only", (action, resource, slugs) => {
  const may = modes.filter(([, mode]) => judge(rulesOf(mode, [everything]), action, [{ action, resource }]).effect !== "deny");
  expect(may.map(([slug]) => slug).toSorted()).toEqual(words(slugs));
});

test("a move is judged as reading the file under its old name", () => {
  const [code] = builtinModes.filter(({ slug }) => slug === "code");
  if (!code) throw new Error("there is no code mode");
  const rules = rulesOf(code, [{ ...everything, action: "edit" }]);
  const effectOf = (name: string, input: unknown) => {
    const tool = builtinTools.find((each) => each.name === name);
    if (tool?.kind !== "acting") throw new Error(`${name} is no tool that acts`);
    return judge(rules, name, tool.access(tool.input.parse(input))).effect;
  };
  const patch = (from: string) => ({ patch: `*** Begin Patch\n*** Update File: ${from}\n*** Move to: notes.txt\n*** End Patch` });
  expect(["a.txt", ".env"].map((path) => effectOf("move_file", { path, to: "notes.txt" }))).toEqual(["allow", "ask"]);
  expect(["a.txt", ".env"].map((path) => effectOf("apply_patch", patch(path)))).toEqual(["allow", "ask"]);
});
