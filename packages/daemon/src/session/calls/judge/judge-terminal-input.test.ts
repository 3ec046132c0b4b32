import { builtinMode, builtinModes } from "@baton/core/mode/builtin-modes";
import type { ModeSlug } from "@baton/core/protocol/mode";
import type { Effect, SourcedRule, Rule } from "@baton/core/protocol/rule";
import type { SessionId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { openRuleSets } from "../../../composition/sessions/rule-sets.ts";
import { parseConfig } from "../../../config/load-config.ts";
import { gate } from "../../../permission/gate.ts";
import { toolByName } from "../../../tool/builtin-tools.ts";
import { defaultAvailability } from "../../../tool/tool-availability.ts";
import { checkCall, type CallJudgement } from "./judge-call.ts";
import { sandboxReach } from "./judge-sandbox.ts";

const workspace = import.meta.dirname;
const session = "one" as SessionId;
const none = parseConfig("{}", "config.jsonc");

const PROGRAMS = [
  "bash",
  "bash -c 'read x'",
  "python3 -q",
  "node",
  "vim a.txt",
  "less README.md",
  "npm init",
  "ssh host",
  "git rebase -i main",
  "cat",
];

const RULE_SETS: readonly (readonly Rule[])[] = [
  [],
  [{ action: "input", resource: "*", effect: "allow" }],
  [{ action: "input", resource: "npm init", effect: "allow" }],
  [{ action: "input", resource: "bash*", effect: "deny" }],
  [{ action: "command", resource: "*", effect: "allow" }],
  [{ action: "command", resource: "*", effect: "deny" }],
  [{ action: "command", resource: "python3*", effect: "deny" }],
  [
    { action: "command", resource: "python3*", effect: "deny" },
    { action: "input", resource: "*", effect: "allow" },
  ],
  [{ action: "edit", resource: "*", effect: "allow" }],
  [{ action: "*", resource: "*", effect: "allow" }],
  [{ action: "write_to_command", resource: "*", effect: "allow" }],
];

const CEILINGS: readonly (readonly SourcedRule[])[] = [
  [],
  [{ action: "input", resource: "*", effect: "deny", layer: "ceiling", source: "the parent" }],
  [{ action: "command", resource: "*", effect: "deny", layer: "ceiling", source: "the parent" }],
  [{ action: "input", resource: "*", effect: "ask", layer: "ceiling", source: "the parent" }],
];

const USER_RULES = openRuleSets({
  config: () => none,
  managed: () => none,
  projects: { of: () => none },
  workspaces: { trust: () => "trusted", grants: () => [] },
  sourceOf: (folder) => folder,
});

type Case = {
  program: string;
  mode: ModeSlug;
  rules: readonly Rule[];
  ceilings: readonly SourcedRule[];
  sandbox: boolean;
  reach?: string | undefined;
  /** Rules that came after the start of the program. */
  more?: readonly SourcedRule[];
};

/** The real rules, modes, gates and tools, with a terminal in which this program runs. */
function services({ program, rules, sandbox, reach, more = [] }: Case): CallJudgement {
  const placed = rules.map((rule): SourcedRule => ({ ...rule, layer: "user", source: "a test" }));
  const parts = {
    modes: () => ({ all: () => builtinModes, nameable: () => builtinModes, get: builtinMode, unread: () => undefined }),
    permissions: {
      rules: (query: Parameters<typeof USER_RULES>[0]) => {
        const set = USER_RULES(query);
        return { ...set, rules: [...set.rules, ...placed, ...more] };
      },
      gate: (access: Parameters<typeof gate>[0]) => gate(access, { workspace, ownRoots: [], trusted: true }),
      trust: () => "trusted",
    },
    tools: { of: () => toolByName, availability: () => defaultAvailability },
    editors: { changedByOther: () => undefined },
    hooks: { problem: () => undefined },
    sandbox: { isReady: () => sandbox },
    terminals: { running: () => ({ command: program, reach }) },
  };
  return parts as unknown as CallJudgement; // judging uses no other parts
}

function judged(each: Case, tool: string, input: unknown): { effect: Effect; rule: string | undefined } {
  const { mode, ceilings } = each;
  const state = { mode, workspace, roots: [], grants: [], ceilings, recent: [] };
  const checked = checkCall({ tool, input }, state, services(each), session);
  return "result" in checked ? { effect: "deny", rule: undefined } : { effect: checked.verdict.effect, rule: checked.verdict.rule?.action };
}

/** The reach that a command of this mode has in the sandbox now. */
function reachOf(each: Case): string {
  const mode = builtinMode(each.mode);
  if (!mode) throw new Error(`there is no mode ${each.mode}`);
  return sandboxReach(each.mode, services(each).permissions.rules({ workspace, mode, grants: [], ceilings: each.ceilings, roots: [] }));
}

const cases = (sandbox: boolean): Case[] =>
  PROGRAMS.flatMap((program) =>
    builtinModes.flatMap(({ slug: mode }) =>
      RULE_SETS.flatMap((rules) => CEILINGS.map((ceilings) => ({ program, mode, rules, ceilings, sandbox }))),
    ),
  );

const write = (text: string) => ({ id: "s1.1", text, keys: ["enter"] });
const titleOf = ({ program, mode, rules, ceilings }: Case): string =>
  [program, mode, JSON.stringify(rules), JSON.stringify(ceilings)].join(" ");
const allows = (rules: readonly Rule[]) =>
  rules.some(({ action, effect }) => ["input", "*", "write_to_command"].includes(action) && effect === "allow");

test("in all modes and with all rules, input is denied where the command is, and allowed only by a rule for input", () => {
  const counts = { allow: 0, ask: 0, deny: 0 };
  const wrong = cases(false).flatMap((each) => {
    const start = judged(each, "run_command", { command: each.program, terminal: true });
    const { effect } = judged(each, "write_to_command", write("rm -rf src"));
    counts[effect] += 1;
    const isWider = start.effect === "deny" && effect !== "deny";
    const isUnasked = effect === "allow" && (!allows(each.rules) || each.ceilings.length > 0);
    const isBeyondMode = effect !== "deny" && builtinMode(each.mode)?.groups.includes("command") !== true;
    return isWider || isUnasked || isBeyondMode ? [`${titleOf(each)}: ${start.effect}, ${effect}`] : [];
  });
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
});

test("in the sandbox, input needs no approval only where the command needs none, and only with the reach of its start", () => {
  let lifted = 0;
  const wrong = cases(true).flatMap((each) => {
    const start = judged(each, "run_command", { command: each.program, terminal: true });
    const outside = judged({ ...each, sandbox: false }, "write_to_command", write("make"));
    const inside = judged({ ...each, reach: reachOf(each) }, "write_to_command", write("make"));
    const elsewhere = judged({ ...each, reach: "another mode all" }, "write_to_command", write("make"));
    const isLifted = inside.effect !== outside.effect;
    if (isLifted) lifted += 1;
    const isRight =
      outside.effect === "ask" &&
      inside.effect === "allow" &&
      inside.rule === "sandbox" &&
      start.effect === "allow" &&
      start.rule === "sandbox";
    return elsewhere.effect !== outside.effect || (isLifted && !isRight) ? [`${titleOf(each)}: ${outside.effect}, ${inside.effect}`] : [];
  });
  expect(wrong).toEqual([]);
  expect(lifted).toBeGreaterThan(50);
});

test("in the sandbox, input asks after a rule or a folder of the session has changed what a command can read or change", () => {
  const each: Case = {
    program: "make",
    mode: "code",
    rules: [{ action: "edit", resource: "*", effect: "allow" }],
    ceilings: [],
    sandbox: true,
  };
  const reach = reachOf(each);
  const after = (rule: Rule, layer: SourcedRule["layer"] = "user") =>
    judged({ ...each, reach, more: [{ ...rule, layer, source: "a test" }] }, "write_to_command", write("cat secret.txt")).effect;
  expect(judged({ ...each, reach }, "write_to_command", write("cat secret.txt")).effect).toBe("allow");
  for (const effect of ["ask", "deny"] as const)
    for (const action of ["read", "edit", "*"])
      expect([action, after({ action, resource: "secret.txt", effect })]).toEqual([action, "ask"]);
  expect(after({ action: "external_directory", resource: "/data", effect: "allow" }, "session")).toBe("ask");
  expect(after({ action: "edit", resource: "a.ts", effect: "allow" }, "session")).toBe("allow");
  expect(after({ action: "fetch", resource: "example.com", effect: "deny" })).toBe("allow");
});

test("text for a shell is also judged as a command, and a rule about it can only make the verdict stricter", () => {
  const TEXTS = [
    "git push",
    "rm -rf src",
    "echo x",
    "npm publish",
    "ls\ngit push origin main",
    "x = 1",
    "",
    "\u0003",
    "\u0003git push",
    "\u202egit push",
  ];
  const LIMITS: readonly Rule[][] = [
    [],
    [{ action: "command", resource: "git push*", effect: "deny" }],
    [{ action: "command", resource: "git push*", effect: "ask" }],
  ];
  const open: Rule[] = ["bash", "exec zsh -f", "tcsh", "python3 -q"].map((resource) => ({
    action: "input",
    resource: { exact: resource },
    effect: "allow",
  }));
  const found = ["bash", "exec zsh -f", "tcsh", "python3 -q"].flatMap((program) =>
    LIMITS.map((limits) => {
      const each: Case = {
        program,
        mode: "code",
        rules: [{ action: "command", resource: "*", effect: "allow" }, ...open, ...limits],
        ceilings: [],
        sandbox: false,
      };
      const inputs = TEXTS.map((text) => judged(each, "write_to_command", write(text)).effect);
      return [program, limits[0]?.effect ?? "none", inputs.join(" ")];
    }),
  );
  const usual = "allow ask allow ask allow allow allow allow allow deny";
  expect(found).toEqual([
    ["bash", "none", usual],
    ["bash", "deny", "deny ask allow ask deny allow allow allow deny deny"],
    ["bash", "ask", "ask ask allow ask ask allow allow allow ask deny"],
    ["exec zsh -f", "none", usual],
    ["exec zsh -f", "deny", "deny ask allow ask deny allow allow allow deny deny"],
    ["exec zsh -f", "ask", "ask ask allow ask ask allow allow allow ask deny"],
    ["tcsh", "none", usual],
    ["tcsh", "deny", "deny ask allow ask deny allow allow allow deny deny"],
    ["tcsh", "ask", "ask ask allow ask ask allow allow allow ask deny"],
    ["python3 -q", "none", "allow allow allow allow allow allow allow allow allow allow"],
    ["python3 -q", "deny", "allow allow allow allow allow allow allow allow allow allow"],
    ["python3 -q", "ask", "allow allow allow allow allow allow allow allow allow allow"],
  ]);
});
