import { omitUndefined } from "@baton/core/text/omit-undefined";
import { hash } from "node:crypto";
import { approvalTitle } from "@baton/core/text/request/approval-title";
import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf } from "@baton/core/protocol/ids";
import type { RequestChoice, Request } from "@baton/core/protocol/request";
import type { Verdict } from "@baton/core/protocol/rule";
import { proposeRule } from "@baton/core/permission/propose-rule";
import type { View } from "@baton/core/protocol/tool-view";
import { hookTitle } from "@baton/core/session/hook-report";
import type { Call, SessionState } from "@baton/core/session/state";
import type { ActingTool, AskingTool, DelegatingTool, PreviewContext, UserQuestion } from "../../../tool/tool-types.ts";
import { configureToolset } from "../../servers/change-session-toolset.ts";
import { callPorts } from "../run/call-ports.ts";
import { isOfHook } from "../../hooks/hook-decision.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import type { SessionDependencies } from "../../session-dependencies.ts";

/** The preview of a call: its view, the hash of the view, and its result if the call cannot have an effect. */
type CallPreview = { at: number; shown: View; hash: string; result?: ToolResult | undefined };

/** Determines what a call would do. Undefined while that takes; the session decides again afterwards. */
export async function previewCall(
  call: Call,
  tool: ActingTool | DelegatingTool,
  input: unknown,
  verdict: Verdict,
  state: SessionState,
  session: EffectContext,
): Promise<CallPreview | undefined> {
  const answered = call.answer ? (call.request?.id ?? "") : "";
  const key = `${call.id} ${state.mode} ${answered} ${JSON.stringify(verdict.accesses)}`;
  const looked = await session.looks.at(key, async (): Promise<CallPreview> => {
    const at = session.services.clock.now(); // taken before any read, so that requests keep the order of the reply
    const preview = await showCall(call, tool, input, verdict, state, session);
    if (tool.kind !== "acting" || preview.hash === call.request?.hash) return { at, ...preview };
    return { at, ...preview, result: await tool.beforehand?.(input, previewContext(call, verdict, state, session)) };
  });
  return looked?.value;
}

/**
 * Asks for the approval of a call: what would be done, where, which rule asks, and what could be remembered. If the call cannot
 * have an effect, that is its result and nobody is asked.
 */
export function requestApproval(
  { at: openedAt, shown, hash, result }: CallPreview,
  call: Call,
  tool: ActingTool | DelegatingTool,
  input: unknown,
  verdict: Verdict,
  state: SessionState,
  session: EffectContext,
): SessionEvent {
  if (result) return { type: "tool.finished", callId: call.id, result };
  const outside = tool.kind === "acting" && session.services.sandbox.isReady() ? tool.outsideSandbox?.(input) : undefined;
  const notes = [
    ...changedByHook(call.id, state),
    ...programsOfProject(verdict, state, session.services).map(({ name, file }) => `Here, ${name} is ${file} of the project`),
    ...(isOfHook(verdict) ? [verdict.why] : []),
    ...(outside === undefined ? [] : [`It would run outside of the sandbox. The reason of the agent: ${outside}`]),
  ];
  const remember = proposeRule(verdict, tool.access(input));
  const header = (tool.kind === "acting" ? tool.question : undefined) ?? headerFor(shown, tool.name);
  const request: Request = {
    id: requestId(call, session),
    kind: "approval",
    ...subjectOf(call),
    tool: tool.name,
    input,
    header: call.request ? `The call would now do something else than was shown. ${header}` : header,
    text: [`${call.label.verb} ${call.label.object}`, ...notes].join(". "),
    ...(notes.length > 0 ? { notes } : {}),
    view: shown,
    folder: state.workspace,
    choices: remember ? [once, forSession, forWorkspace, deny] : [once, deny],
    freeText: false,
    hash,
    rule: verdict.rule,
    verdicts: verdict.accesses,
    ...omitUndefined({ remember }),
    openedAt,
  };
  return { type: "request.opened", request };
}

/** Says that the model asked for something else. */
function changedByHook(id: Call["id"], { hooks }: SessionState): string[] {
  const run = hooks.find(({ about, outcome }) => about === id && outcome?.input !== undefined);
  return run ? [`${hookTitle(run)} changed the arguments of this call`] : [];
}

const subjectOf = ({ id, outside }: Call): Pick<Request, "subject" | "external"> => ({
  subject: { call: id },
  ...(outside ? { external: true } : {}),
});

/** A call that asks again gets a new request. */
const requestId = ({ id, request }: Call, session: EffectContext): Request["id"] =>
  requestIdOf(session.id, id + (request ? `.${request.openedAt.toString(36)}` : ""));

/** The request of an asking tool. */
export function questionRequest(
  call: Call,
  tool: AskingTool,
  input: unknown,
  question: UserQuestion,
  state: SessionState,
  session: EffectContext,
): Request {
  return {
    id: requestId(call, session),
    ...subjectOf(call),
    tool: tool.name,
    input,
    folder: state.workspace,
    ...question,
    openedAt: session.services.clock.now(),
  };
}

/**
 * The view of an approval, and the hash that binds the answer to it: tool, input, folder, the change that the call would
 * make now, and the programs of the project that it would start.
 */
async function showCall(
  call: Call,
  tool: ActingTool | DelegatingTool,
  input: unknown,
  verdict: Verdict,
  state: SessionState,
  session: EffectContext,
): Promise<{ shown: View; hash: string }> {
  const { services } = session;
  const fallback: View = { type: "text", text: JSON.stringify(input, undefined, 2), format: "plain" };
  const context = previewContext(call, verdict, state, session);
  const view = tool.preview ? await tool.preview(input, context).catch((): View => fallback) : fallback;
  const programs = programsOfProject(verdict, state, services);
  const bound = JSON.stringify([
    call.tool,
    services.tools.schemaOf(tool),
    input,
    state.workspace,
    view,
    ...(programs.length > 0 ? [programs] : []),
  ]);
  return { shown: view, hash: hash("sha256", bound) };
}

/** The context in which a tool prepares its preview, before the user is asked. */
const previewContext = (call: Call, verdict: Verdict, state: SessionState, { id, services, plans }: EffectContext): PreviewContext => ({
  sessionId: id,
  ports: callPorts(verdict, state, services),
  cwd: state.workspace,
  signal: AbortSignal.timeout(PREVIEW_MS),
  plan: plans.of(call),
  configure: (toolsetTool, toolInput) => configureToolset(toolsetTool, toolInput, { dry: true, by: { daemon: true } }, state, services),
});

const PREVIEW_MS = 5_000;

function headerFor(view: View, tool: string): string {
  switch (view.type) {
    case "command":
      return "Run this command?";
    case "diff":
      return view.change === "create" ? "Create this file?" : view.change === "delete" ? "Delete this file?" : "Change this file?";
    case "link":
      return "Open this address?";
    case "text":
    case "terminal":
    case "files":
    case "list":
      return approvalTitle(tool);
  }
}

const once: RequestChoice = { id: "once", label: "Allow once" };
const forSession: RequestChoice = { id: "session", label: "This session" };
const forWorkspace: RequestChoice = { id: "workspace", label: "This workspace" };
const deny: RequestChoice = { id: "deny", label: "Deny" };

/** The programs of the project that a command would start by their names, because of the environment of its folder. */
function programsOfProject(
  { accesses }: Verdict,
  { workspace }: Pick<SessionState, "workspace">,
  { environments }: Pick<SessionDependencies, "environments">,
): { name: string; file: string }[] {
  const { programs } = environments.now(workspace);
  if (programs.size === 0) return [];
  const commands = accesses.flatMap(({ action, resource }) => (action === "command" ? resource : []));
  return [...programs].flatMap(([name, file]) =>
    commands.some((command) => command === file || command.startsWith(`${file} `)) ? [{ name, file }] : [],
  );
}
