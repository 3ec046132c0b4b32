import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { SessionEvent } from "@baton/core/protocol/event";
import { hookModes, modeInForce, originOfCoordination } from "../../mode-of-step.ts";
import { GroupName, type Mode, type ModeSlug } from "@baton/core/protocol/mode";
import type { Access, SourcedRule, Verdict } from "@baton/core/protocol/rule";
import { type GatedAccess, fullyDenied, judge } from "@baton/core/permission/judge";
import { readOnlyActions } from "@baton/core/tool/tool-table";
import { ENDPOINT_MODE } from "@baton/core/mode/mcp-endpoint-mode";
import { ruleText } from "@baton/core/text/rule-text";
import { closestMatch } from "@baton/core/text/closest-match";
import { asSentence } from "@baton/core/text/format";
import { callKey, countRepeats } from "@baton/core/session/loop-detection";
import type { Call, SessionState } from "@baton/core/session/state";
import type { AskingTool, Tool } from "../../../tool/tool-types.ts";
import { judgeAccesses } from "./judge-accesses.ts";
import { offerTools, type OfferedTools } from "../../../tool/offer-tools.ts";
import { CONFIGURATION_MODE, isRefusedSwitchTool } from "../../../tool/tool-availability.ts";
import { askingToolContext } from "./asking-tool-context.ts";
import { askToChangeMode, askToDelegate } from "./ask-about-modes.ts";
import { answeredQuestionEvents } from "./answered-question-events.ts";
import {
  isCoordinationExhausted,
  missingCapabilityResult,
  canEscalateToCoordinator,
  requestCoordination,
  type LackingCall,
} from "../../coordination/run-coordination.ts";
import { checkDelegation } from "../../delegation/delegate-task.ts";
import type { SessionId } from "@baton/core/protocol/ids";
import { askWhereOtherSessionEdited } from "../../files/file-editors.ts";
import { planPath } from "../../plan-path.ts";
import { requestApproval, previewCall, questionRequest } from "./approval-request.ts";
import { planCall } from "./plan-call.ts";
import { awaitsEarlierEdit } from "./awaits-earlier-edit.ts";
import { hookDecision, isOfHook, withHookDecision } from "../../hooks/hook-decision.ts";
import { TERMINAL_INPUT, judgeTerminalInput, terminalOf } from "./judge-terminal-input.ts";
import { allowInSandbox, sandboxReach } from "./judge-sandbox.ts";
import { askAboutProjectCheck } from "../../checks/ask-about-project-check.ts";
import { hooksBeforeCall, hooksBeforeRequest } from "../../hooks/hooks-before-event.ts";
import type { SessionDependencies } from "../../session-dependencies.ts";
import type { EffectContext } from "../../effects/effect-context.ts";

/** The services that judging needs. */
export type CallJudgement = Pick<SessionDependencies, "modes" | "permissions" | "tools" | "editors" | "hooks" | "sandbox" | "terminals">;

/**
 * Judges a call of the model: it is allowed, becomes a request, or ends with a result that says what is wrong. Undecided while
 * its preview depends on a file that an earlier call will change.
 */
export async function judgeCall(call: Call, state: SessionState, session: EffectContext): Promise<SessionEvent[]> {
  const checked = await checkCallWithPlan(call, state, session);
  if (!checked) return [];
  if ("result" in checked)
    return checked.lacking ? missingTool(call, checked.result, state, session) : [toolFinishedEvent(call, checked.result)];
  const { tool, input, verdict } = checked;
  if (verdict.effect === "deny") {
    if (checked.beyondMode && canEscalateToCoordinator({ call }, state, session))
      return coordinate({ call, beyond: verdict.why }, state, session);
    return [toolFinishedEvent(call, deniedResult(verdict))];
  }
  const hooks = hooksBeforeCall(call, verdict, state, session);
  if (hooks) return hooks;
  if (tool.kind === "asking") return judgeQuestion(call, tool, input, verdict, state, session);
  const cannot = tool.kind === "delegating" ? checkDelegation(tool, input, state, session.services) : undefined;
  if (cannot && "outcome" in cannot) return [toolFinishedEvent(call, cannot)];
  if (verdict.effect === "allow") return [{ type: "tool.allowed", callId: call.id, verdict, writes: writesFiles(verdict) }];
  if (awaitsEarlierEdit(call, state, session)) return [];
  const permissionHooks = hooksBeforeRequest(call, verdict, state, session);
  if (permissionHooks) return permissionHooks;
  const preview = await previewCall(call, tool, input, verdict, state, session);
  return preview ? [requestApproval(preview, call, tool, input, verdict, state, session)] : [];
}

/**
 * Judges a call with its plan, if its tool makes one. Undefined while the plan is made, or while earlier calls of the reply could
 * still change what it is about.
 */
export async function checkCallWithPlan(call: Call, state: SessionState, session: EffectContext): Promise<CallCheck | undefined> {
  const checked = checkSessionCall(call, state, session, []);
  if ("result" in checked || checked.tool.kind !== "acting" || !checked.tool.plan || checked.verdict.effect === "deny") return checked;
  if (!isFirstOpen(call, state)) return undefined;
  if (checked.verdict.accesses.some(({ action, effect }) => action === "read" && effect !== "allow")) return { result: unreadable(call) };
  const plan = await planCall(call, checked.tool.plan, checked.input, state.workspace, session);
  if (!plan) return undefined;
  return "outcome" in plan ? { result: plan } : checkSessionCall(call, state, session);
}

/** An error of a plan may tell what is in the file, so nothing is planned for a file that the agent may not read yet. */
const unreadable = ({ tool }: Call): ToolResult => ({
  outcome: "denied",
  text: `${tool} only works on files that you may read without asking. Use edit_file instead.`,
});

/** Asks the question of an asking tool, unless a rule answers it or there is nothing to ask. */
async function judgeQuestion(
  call: Call,
  tool: AskingTool,
  input: unknown,
  verdict: Verdict,
  state: SessionState,
  session: EffectContext,
): Promise<SessionEvent[]> {
  const context = await askingToolContext(state, session);
  const question = tool.ask(input, context);
  if ("outcome" in question) return answeredQuestionEvents(call, question, { daemon: true }, state, session);
  if (verdict.effect === "allow" && tool.unasked)
    return answeredQuestionEvents(call, tool.answered(input, tool.unasked, context), { daemon: true }, state, session);
  return [{ type: "request.opened", request: questionRequest(call, tool, input, question, state, session) }];
}

/** Handles a call for a tool that exists but is not in the mode: coordination decides, or the result explains the situation. */
function missingTool(call: Call, result: ToolResult, state: SessionState, session: EffectContext): SessionEvent[] {
  if (canEscalateToCoordinator({ call }, state, session)) return coordinate({ call }, state, session);
  if (isCoordinationExhausted(state) && !state.turn?.coordinated.includes(call.tool))
    return [missingCapabilityResult(call, state.mode, "coordination was requested twice in this turn, which ends the turn.", "blocked")];
  return [toolFinishedEvent(call, result)];
}

/**
 * The decision for a call that will start coordination once the calls before it are done. Calls after it are not judged yet.
 */
export const AWAITS_COORDINATION: SessionEvent[] = [];

/** Coordination changes the mode, so it waits for the calls of the reply that come before this one. */
const coordinate = (missing: LackingCall, state: SessionState, session: EffectContext): SessionEvent[] =>
  isFirstOpen(missing.call, state) ? requestCoordination(missing, state, session) : AWAITS_COORDINATION;

const isFirstOpen = (call: Call, { calls }: SessionState): boolean =>
  call.outside === true || calls.find(({ phase, outside }) => phase !== "done" && !outside)?.id === call.id;

/** The end of a call that does not run. */
export const toolFinishedEvent = (call: Call, result: ToolResult): SessionEvent => ({ type: "tool.finished", callId: call.id, result });

/** `lacking`: the tool exists, but not in this mode. `beyondMode`: only the limits of the mode deny the call. */
type CallCheck = { tool: Tool; input: unknown; verdict: Verdict; beyondMode?: true } | { result: ToolResult; lacking?: true };

/**
 * Judges a call in stages: the tool exists, the mode offers it, its input fits, the gates can make its accesses exact, and the
 * rules decide. The result names the first stage that fails. `id`: the session that makes the call, if there is one.
 */
export function checkCall(call: CallToJudge, state: JudgingState, services: CallJudgement, id?: SessionId): CallCheck {
  const check = checkInMode(state.step?.mode ?? state.mode, call, state, services, id);
  if (state.step === undefined || state.step.mode === state.mode) return check;
  // The user changed the mode while the model replied, so the call must be allowed in both modes.
  return stricter(check, checkInMode(state.mode, call, state, services, id));
}

const isSameAccess = (a: Access, b: Access): boolean => a.action === b.action && a.resource === b.resource;

type CallToJudge = Pick<Call, "tool" | "input" | "raw"> &
  Partial<Pick<Call, "id" | "check">> & {
    /** The accesses of the call's plan. */
    planned?: readonly Access[];
  };
type JudgingState = Pick<SessionState, "mode" | "workspace" | "roots" | "grants" | "ceilings" | "step" | "recent"> &
  Partial<Pick<SessionState, "endpoint" | "returnPoints" | "lastTurn" | "createdAt" | "hooks" | "exceeded" | "processes">>;

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

function stricter(one: CallCheck, other: CallCheck): CallCheck {
  if ("result" in one) return one;
  if ("result" in other) return other;
  return STRICTNESS[other.verdict.effect] > STRICTNESS[one.verdict.effect] ? other : one;
}

function checkInMode(slug: ModeSlug, call: CallToJudge, state: JudgingState, services: CallJudgement, id?: SessionId): CallCheck {
  const mode = modeInForce(state, services, slug);
  if (!mode) return failure(`The mode ${slug} no longer exists.`);
  const { workspace, grants, ceilings, roots } = state;
  const rules = services.permissions.rules({ workspace, mode, grants, ceilings, roots });
  const wideRules = () => services.permissions.rules({ workspace, mode: withAllGroups(mode), grants, ceilings, roots });
  const tool = services.tools.of(state).get(call.tool);
  if (!tool)
    return failure(
      unknownTool(
        call.tool,
        offerTools(services.tools.of(state).values(), rules, services.tools.availability(state.workspace, mode)).offered,
      ),
    );
  const [withheld] = offerTools([tool], rules, services.tools.availability(state.workspace, mode, state.step?.model)).withheld;
  if (withheld && !isRefusedSwitchTool(tool.name, mode.slug)) {
    const unavailable = failure(`The tool ${tool.name} is not available in mode ${mode.slug}: ${withheld.reason}.`);
    return withheld.byMode ? { ...unavailable, lacking: true } : unavailable;
  }
  const input = parse(tool, call);
  if ("fault" in input) return failure(input.fault);
  const mayRepeat = state.endpoint !== undefined || call.check !== undefined;
  const repeatAccesses = !mayRepeat ? loopGuard(tool, call, state.recent) : []; // agents share a profile and checks are repeated, so this is not a loop
  const terminal = tool.action === TERMINAL_INPUT ? terminalOf(input.value, state, services, id) : undefined;
  const named = (access: Access): Access =>
    access.action === TERMINAL_INPUT && terminal ? { action: TERMINAL_INPUT, resource: terminal.command } : access;
  const judgeStart = (command: string) => checkInMode(slug, { tool: RUN_COMMAND, input: { command } }, { ...state, recent: [] }, services);
  const exactly = (declared: readonly Access[]): GatedAccess[] | { refused: string } => {
    const gated = gateAll(declared.map(named), state.workspace, services, tool);
    if ("refused" in gated) return gated;
    const plan = id && planPath(id);
    const planned = fullyDenied(rules, LEAVE_PLAN, LEAVE_PLAN) ? gated : gated.map((access) => ownPlan(access, plan));
    const exact = id ? planned.map((access) => askWhereOtherSessionEdited(access, state, id, services.editors)) : planned;
    const limited = exact.map((access) =>
      access.action === TERMINAL_INPUT ? judgeTerminalInput(access, terminal, judgeStart, sandboxReach(slug, rules)) : access,
    );
    const origin = originOfCoordination(state, slug);
    const approved = limited.map((access) => {
      const delegated = askToDelegate(access, origin, services.modes(state.workspace).get);
      return state.endpoint === undefined ? askToChangeMode(delegated, tool.name, rules) : delegated;
    });
    return approved.map((access) => askToLeave(askAlways(askForServerTool(access, tool, mode)), state));
  };
  const own = tool.access(input.value);
  const planned = tool.kind === "acting" && tool.plan ? (call.planned ?? []) : [];
  const declared = [...own, ...planned.filter((access) => !own.some((each) => isSameAccess(each, access)))];
  const decision = hookDecision(call.id, state.hooks, services.hooks.problem(state.workspace, hookModes(state)));
  const judged = judgeAccesses(declared, rules, tool.name, (each) => {
    const gated = exactly(each);
    return "refused" in gated ? gated : [...decision.limits, ...gated, ...repeatAccesses];
  });
  if ("refused" in judged) return failure(judged.refused);
  const hooked = withHookDecision(judged, decision, tool.kind);
  const isSandboxed =
    tool.kind === "acting" && tool.usesSandbox === true && tool.outsideSandbox?.(input.value) === undefined && services.sandbox.isReady();
  const contained =
    isSandboxed && services.permissions.trust(workspace) === "trusted" ? allowInSandbox(hooked, rules, state.exceeded) : hooked;
  const verdict = call.check?.layer === "project" ? askAboutProjectCheck(contained) : contained;
  const isAllowedElsewhere = () => {
    const gated = exactly(declared);
    return !("refused" in gated) && judge(wideRules(), tool.name, gated).effect !== "deny";
  };
  const isBeyondMode = verdict.effect === "deny" && !isOfHook(verdict) && mode.slug !== PLAN && isAllowedElsewhere();
  return { tool, input: input.value, verdict, ...(isBeyondMode ? { beyondMode: true } : {}) };
}

/**
 * The mode as if its groups had no limits, to distinguish a call beyond a group's limits from one beyond the mode. In plan, the
 * limits are the purpose of the mode, and exit_plan is the way out.
 */
const withAllGroups = (mode: Mode): Mode => ({
  ...mode,
  groups: [...GroupName.options],
  ...(mode.within ? { within: { ...mode.within, groups: [...GroupName.options] } } : {}),
});

/** Judges a call of a session. If Baton itself fails at that, the call is denied. */
export function checkSessionCall(
  call: Call,
  state: SessionState,
  { id, services, plans }: EffectContext,
  planned: readonly Access[] = plans.accessesOf(call),
): CallCheck {
  try {
    const checked = checkCall({ ...call, planned }, state, services, id);
    return call.check ? withoutEscalation(checked) : checked;
  } catch (error) {
    services.report(`session ${id}: ${call.tool} could not be judged`, error);
    const text = `${call.tool} could not be judged, so it was not run. Try another way, or ask the user.`;
    return { result: { outcome: "denied", text, end: "could not be judged" } };
  }
}

/** A check that cannot run was denied and did not fail. No other mode is asked for because of it. */
const withoutEscalation = (checked: CallCheck): CallCheck => {
  if ("result" in checked) return { result: { ...checked.result, outcome: "denied" } };
  const { beyondMode: _, ...within } = checked;
  return within;
};

/** Repeating a call needs permission too. Tools that poll are meant to be repeated. */
function loopGuard(tool: Tool, call: Pick<Call, "tool" | "input" | "raw">, recent: readonly string[]): GatedAccess[] {
  if (tool.kind === "acting" && tool.polls) return [];
  const repetition = countRepeats(recent, callKey(call));
  if (!repetition) return [];
  const source = repetition === "same" ? "the same call for the third time in a row" : "two calls in turn for the third time";
  const rule: SourcedRule = { action: "loop_guard", resource: "*", effect: "ask", layer: "defaults", source };
  return [{ action: "loop_guard", resource: tool.name, gateRule: rule }];
}

/** A permanent change asks each time. */
const askAlways = (access: GatedAccess): GatedAccess =>
  access.action === "configure" && access.resource === "delete-toolset"
    ? {
        ...access,
        floor: {
          action: "configure",
          resource: access.resource,
          effect: "ask",
          layer: "gate",
          source: "deleting cannot be undone",
          once: true,
        },
      }
    : access;

/** A session that began in configuration has no mode to return to, so the user is asked before it gets another. */
function askToLeave(access: GatedAccess, { mode, endpoint, returnPoints = [] }: Partial<SessionState>): GatedAccess {
  const isLeaving = access.action === "configure" && LEAVE_CONFIGURATION.has(String(access.resource));
  if (!isLeaving || mode !== CONFIGURATION_MODE || endpoint !== undefined || returnPoints.length > 0) return access;
  const source = "the session began in configuration, so leaving it chooses another mode";
  return { ...access, floor: { action: "configure", resource: access.resource, effect: "ask", layer: "gate", source, once: true } };
}

const LEAVE_CONFIGURATION: ReadonlySet<string> = new Set(["exit-configuration-mode", "equip-toolset"]);

const SCRIPT_TOOL = "tool";
const RUN_COMMAND = "run_command";

/** In a mode that does not edit freely, a tool of a server or of a file asks unless it is declared as read-only. */
function askForServerTool(access: GatedAccess, { hints }: Tool, { slug, groups }: Mode): GatedAccess {
  if (
    (access.action !== "mcp" && access.action !== SCRIPT_TOOL) ||
    hints?.readOnly === true ||
    groups.includes("edit") ||
    slug === ENDPOINT_MODE
  )
    return access;
  const source = `mode ${slug} does not edit freely, and the tool does not declare that it only reads`;
  return { ...access, floor: { action: access.action, resource: access.resource, effect: "ask", layer: "gate", source } };
}

const PLAN = "plan";
const LEAVE_PLAN = "exit_plan";

/** In plan mode a session may write its own plan, although the name of its folder is protected. */
function ownPlan(access: GatedAccess, plan: string | undefined): GatedAccess {
  if (access.action !== "edit" || access.resource !== plan || access.floor?.effect === "deny" || access.floor?.once) return access;
  const { floor: _, ...free } = access;
  return free;
}

export const writesFiles = (verdict: Verdict): boolean =>
  verdict.accesses.length === 0 || verdict.accesses.some(({ action }) => !readOnlyActions.has(action));

/** The result of a call that a rule denies, as the model reads it. */
export const deniedResult = (verdict: Verdict): ToolResult => ({
  outcome: "denied",
  text: `Not allowed: ${verdict.why} Do not try to get around this. Continue without it, or ask the user.`,
  end: verdict.rule ? `denied: ${shortRule(verdict.rule)} (${verdict.rule.layer}, ${verdict.rule.source})` : "denied",
});

const MAX_RULE = 120;

const shortRule = (rule: SourcedRule): string => {
  const text = ruleText(rule);
  return text.length <= MAX_RULE ? text : `${text.slice(0, MAX_RULE).toWellFormed()}…`;
};

const failure = (text: string): { result: ToolResult } => ({ result: { outcome: "failed", text } });

function unknownTool(name: string, offered: readonly OfferedTools[]): string {
  const names = offered.map(({ tool }) => tool.name);
  const meant = closestMatch(name, names);
  return `There is no tool ${name.slice(0, 100)}.${meant ? ` Did you mean ${meant}?` : ""} The tools are: ${names.join(", ")}.`;
}

const SHOWN = 800;

function parse(tool: Tool, { input, raw }: Pick<Call, "input" | "raw">): { value: unknown } | { fault: string } {
  if (raw !== undefined)
    return {
      fault: `The arguments of ${tool.name} are not a complete JSON object. Send the whole call again. Received: ${raw.slice(0, SHOWN)}`,
    };
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return { value: parsed.data };
  const issues = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length > 0 ? `${path.map(String).join(".")}: ` : ""}${message}`);
  return {
    fault: `The arguments of ${tool.name} do not fit: ${asSentence(issues.join("; "))} Received: ${JSON.stringify(input)?.slice(0, SHOWN) ?? "nothing"}`,
  };
}

function gateAll(declared: readonly Access[], workspace: string, services: CallJudgement, tool: Tool): GatedAccess[] | { refused: string } {
  const accesses: GatedAccess[] = [];
  for (const access of declared) {
    const isPlainName = tool.declared !== undefined && (access.action === "command" || access.action === "fetch");
    const gated = isPlainName ? [access] : services.permissions.gate(access, workspace);
    if ("refused" in gated) return gated;
    accesses.push(...gated.map((each) => asDeclared(each, tool)));
  }
  return accesses;
}

/** The user approved what a script tool declares, so the defaults do not ask about it again. Rules, modes and gates still limit it. */
function asDeclared(access: GatedAccess, { declared, action }: Tool): GatedAccess {
  if (!declared || access.action === action) return access;
  const gateRule: SourcedRule = {
    action: access.action,
    resource: access.resource,
    effect: "allow",
    layer: "gate",
    source: `declared by ${declared.source}`,
  };
  return { ...access, gateRule };
}
