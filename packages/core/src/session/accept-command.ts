import { omitUndefined } from "../text/omit-undefined.ts";
import { transitionEvents } from "../mode/mode-transition.ts";
import type { Command } from "../protocol/command.ts";
import type { SessionEvent } from "../protocol/event.ts";
import type { Mode, ModeSlug } from "../protocol/mode.ts";
import { refuse, type Refusal } from "../protocol/refusal.ts";
import type { Actor, RequestAnswer, Request } from "../protocol/request.ts";
import type { Rule } from "../protocol/rule.ts";
import { formFieldsProblem, fieldsFromText } from "./form-fields.ts";
import { openRequests, type SessionState } from "./state.ts";
import { escapeInvisible, oneLine } from "../text/sanitize.ts";

/**
 * The facts that `acceptCommand` needs because it reads nothing itself: the modes, whether a model name or a rule is valid, and
 * the time in epoch milliseconds.
 */
export type CommandFacts = {
  modes: readonly Pick<Mode, "slug" | "kind">[];
  faultOfModel: (model: string) => string | undefined;
  /** Why a rule is invalid, or would not allow the request that it answers. */
  faultOfRule: (rule: Rule, request?: Request) => string | undefined;
  now: number;
};

export type AcceptCommandResult = { events: SessionEvent[] } | { refused: Refusal };

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Turns a client's command into events, or refuses it. Pure: the same state, command and facts give the same answer. */
export function acceptCommand(state: SessionState, command: Command, facts: CommandFacts): AcceptCommandResult {
  if (command.type !== "create" && !state.created) return refuse("session_not_found", "There is no such session.");
  if (state.endpoint !== undefined && !OF_ENDPOINT.has(command.type))
    return refuse("session_read_only", "This session holds the calls of other agents through the endpoint. Start a session of your own.");
  switch (command.type) {
    case "create":
      return create(state, command, facts);
    case "prompt":
      return prompt(state, command, facts);
    case "editPrompt":
      if (state.hooks.some(({ event, about }) => event === "UserPromptSubmit" && about === command.promptId))
        return refuse("busy", "A hook reads this prompt, so it cannot change now. Withdraw it and send another.");
      if (command.text.trim() === "") return refuse("prompt_empty", "The prompt is empty. Withdraw it instead.");
      return ifQueued(state, command.promptId, { type: "prompt.edited", promptId: command.promptId, text: command.text });
    case "withdrawPrompt":
      return ifQueued(state, command.promptId, { type: "prompt.withdrawn", promptId: command.promptId });
    case "resume":
      if (!state.held) return refuse("nothing_queued", "No prompt is held back.");
      return { events: [{ type: "queue.resumed", by: command.by }] };
    case "answer":
      return answer(state, command, facts);
    case "compact":
      if (state.compaction) return refuse("busy", "The conversation is already being compacted.");
      if (state.counts.steps === 0) return refuse("nothing_to_compact", "Nothing has been said in this session yet.");
      return { events: [{ type: "compaction.wanted", by: command.by, ...omitUndefined({ note: command.note }) }] };
    case "interrupt":
      if (!state.turn && state.compaction)
        return { events: [{ type: "compaction.failed", reason: "stopped", message: "Stopped by the user." }] };
      if (!state.turn) return refuse("nothing_running", "Nothing is running in this session.");
      return { events: [{ type: "turn.ended", reason: "stopped", by: command.by }] };
    case "retry":
      return retry(state, facts);
    case "switchMode":
      if (command.mode === state.mode) return refuse("mode_unchanged", `The session is already in mode ${state.mode}.`);
      return switchTo(state, command, facts);
    case "coordinate":
      if (state.mode === "coordinator") return refuse("mode_unchanged", "The session is already in mode coordinator.");
      return {
        events: transitionEvents(
          state,
          { to: "coordinator", origin: "coordination", by: command.by, reason: command.reason, prompt: coordinationPrompt(command, state) },
          facts.now,
        ),
      };
    case "chooseModel":
      return unknownModel(command, facts) ?? { events: [{ type: "model.chosen", model: command.model, by: command.by }] };
    case "rename":
      return { events: [{ type: "session.renamed", title: command.title }] };
    case "archive":
      return { events: [{ type: "session.archived", archived: command.archived }] };
    case "rewind":
      if (state.turn) return refuse("busy", "A turn is running. Stop it first, then rewind.");
      return { events: [] }; // the session finds the prompt in its log
    case "undo":
    case "redo":
    case "restoreHunk":
      if (state.undo) return refuse("busy", "An undo is restoring files. Try again in a moment.");
      if (state.turn)
        return refuse("busy", `A turn is running. Stop it first, then ${command.type === "restoreHunk" ? "restore" : command.type}.`);
      return { events: [] }; // the session finds the changes in its log
    case "addRoot":
      return addRoot(state, command);
    case "removeRoot":
      if (!state.roots.some(({ path }) => path === command.path))
        return refuse("root_not_found", `The session has no folder ${command.path} besides its workspace.`);
      return { events: [{ type: "root.removed", path: command.path, by: command.by }] };
    case "grant": {
      const { grantId, rule, by } = command;
      const problem = facts.faultOfRule(rule);
      if (problem !== undefined) return refuse("rule_invalid", `The rule was not added: ${problem}`);
      if (state.grants.some(({ id }) => id === grantId)) return { events: [] };
      const grant = { id: grantId, rule, scope: "session" as const, mode: state.mode, givenAt: facts.now, requestId: "" };
      return { events: [{ type: "grant.given", grant, by }] };
    }
    case "revokeGrant":
      if (!state.grants.some((grant) => grant.id === command.grantId))
        return refuse("grant_not_found", `This session has no grant ${command.grantId}.`);
      return { events: [{ type: "grant.revoked", grantId: command.grantId, by: command.by }] };
  }
}

/** The commands that a session without a conversation accepts. */
const OF_ENDPOINT: ReadonlySet<Command["type"]> = new Set(["create", "answer", "rename", "archive", "grant", "revokeGrant"]);

function create(
  state: SessionState,
  { workspace, mode, model, stepLimit, limits, trust, roots = [], by }: CommandOf<"create">,
  facts: CommandFacts,
): AcceptCommandResult {
  if (state.created) return refuse("session_exists", "A session with this id exists already.");
  const unknown = unusableMode(mode, facts) ?? unknownModel({ model }, facts);
  if (unknown) return unknown;
  const created: SessionEvent = {
    type: "session.created",
    workspace,
    mode,
    stepLimit,
    by,
    ...omitUndefined({ model, limits }),
  };
  const added = roots.map((root): SessionEvent => ({ type: "root.added", root, by }));
  return { events: [created, ...added, ...(trust ? [{ type: "request.opened" as const, request: trust }] : [])] };
}

function addRoot(state: SessionState, { path, readOnly, by }: CommandOf<"addRoot">): AcceptCommandResult {
  if (path === state.workspace) return refuse("root_invalid", `${path} is the workspace of the session already.`);
  if (state.roots.length >= MAX_ROOTS && !state.roots.some((root) => root.path === path))
    return refuse("root_invalid", `A session has at most ${MAX_ROOTS} folders besides its workspace. Remove one first.`);
  return { events: [{ type: "root.added", root: { path, readOnly }, by }] };
}

const MAX_ROOTS = 20;

function prompt(state: SessionState, command: CommandOf<"prompt">, facts: CommandFacts): AcceptCommandResult {
  const { promptId, text, slash, delivery, model, by, images = [] } = command;
  if (text.trim() === "" && images.length === 0) return refuse("prompt_empty", "The prompt is empty. Write what the agent should do.");
  const unknown = unknownModel({ model }, facts);
  if (unknown) return unknown;
  const mode = command.mode ?? state.mode;
  const unusable = unusableMode(mode, facts);
  if (unusable && mode !== state.mode) return unusable;
  // The running turn, and prompts queued before this one, stay in the mode for which they were meant.
  const isLater = delivery === "queue" && (state.turn !== undefined || state.queue.length > 0);
  const switched = mode === state.mode || isLater ? { events: [] } : switchTo(state, { mode, by }, facts);
  if ("refused" in switched) return switched;
  const limit: SessionEvent[] = command.stepLimit === undefined ? [] : [{ type: "limit.changed", stepLimit: command.stepLimit }];
  const received: SessionEvent = {
    type: "prompt.received",
    promptId,
    text,
    delivery,
    mode,
    by,
    ...omitUndefined({ slash }),
    ...(isLater && command.mode !== undefined ? { switchTo: command.mode } : {}),
    ...omitUndefined({ model }),
    ...(images.length === 0 ? {} : { images }),
  };
  return { events: [...switched.events, ...limit, received] };
}

function answer(state: SessionState, command: CommandOf<"answer">, facts: CommandFacts): AcceptCommandResult {
  const request = openRequests(state).find((open) => open.id === command.requestId);
  if (!request) return noLongerOpen(state, command.requestId);
  const answer = filledIn(request, command.answer);
  const problem = answerProblem(request, answer, facts);
  if (problem) return problem;
  return { events: [{ type: "request.answered", requestId: request.id, answer, by: command.by }] };
}

/** Fills in a form from a typed line. */
function filledIn({ kind, fields = {} }: Request, answer: RequestAnswer): RequestAnswer {
  const { text, choice, ...rest } = answer;
  if (kind !== "form" || choice !== undefined || text === undefined) return answer;
  return { ...rest, choice: "accept", fields: fieldsFromText(fields, text) };
}

/**
 * Checks an answer: its choice must be offered or its text expected, its hash must match what was shown, and its rule must be
 * about the same action.
 */
function answerProblem(
  request: Request,
  { choice, text, fields, hash, rule }: RequestAnswer,
  { faultOfRule }: CommandFacts,
): { refused: Refusal } | undefined {
  const offered = request.choices.map((known) => known.id);
  const choiceNames = request.choices
    .map((known) => (request.kind === "question" ? `${known.id} (${oneLine(escapeInvisible(known.label))})` : known.id))
    .join(", ");
  if (choice !== undefined && !offered.includes(choice))
    return refuse("choice_not_offered", `This request has no choice "${choice}". Choose one of: ${choiceNames}.`);
  if (choice === undefined && !(request.freeText && text !== undefined && text.trim() !== ""))
    return refuse("answer_incomplete", `Choose one of: ${choiceNames}${request.freeText ? ", or answer with a text" : ""}.`);
  const wrong = choice === "accept" && request.kind === "form" ? formFieldsProblem(request.fields ?? {}, fields ?? {}) : undefined;
  if (wrong !== undefined) return refuse("answer_incomplete", wrong);
  if (hash !== undefined && hash !== request.hash)
    return refuse("hash_mismatch", "The request has changed since it was shown. Look at it again, then answer.");
  if (rule && (rule.effect !== "allow" || rule.action !== request.remember?.action))
    return refuse(
      "rule_too_wide",
      `A rule in an answer can only allow ${request.remember?.action ?? "the requested access"}. Put other rules into config.jsonc.`,
    );
  const unreadable = rule && faultOfRule(rule, request);
  if (unreadable !== undefined) return refuse("rule_invalid", `This rule cannot be remembered: ${unreadable}`);
  return undefined;
}

function noLongerOpen(state: SessionState, requestId: string): AcceptCommandResult {
  const closed = state.closed.find((request) => request.id === requestId);
  if (closed?.by && closed.answer)
    return refuse("already_answered", `Already answered by ${actorName(closed.by)}: ${closed.answer.choice ?? closed.answer.text ?? ""}.`, {
      winner: { by: closed.by, answer: closed.answer },
    });
  if (closed) return refuse("already_answered", `This request is already closed (${closed.reason}).`);
  return refuse("request_not_found", `There is no open request ${requestId}. \`baton inbox\` lists the open ones.`);
}

function switchTo(
  state: SessionState,
  { mode: to, file, by }: Pick<CommandOf<"switchMode">, "mode" | "file" | "by">,
  facts: CommandFacts,
): AcceptCommandResult {
  const unusable = unusableMode(to, facts);
  if (unusable) return unusable;
  return { events: transitionEvents(state, { to, origin: "user", by, file }, facts.now) };
}

function retry({ step }: SessionState, { now }: CommandFacts): AcceptCommandResult {
  if (step?.phase !== "due" || !step.failure) return refuse("nothing_running", "No model is waiting to be asked again.");
  return { events: [{ type: "model.failed", step: step.n, ...step.failure, retryAt: now }] };
}

const coordinationPrompt = ({ promptId, reason }: CommandOf<"coordinate">, { mode }: SessionState) => ({
  id: promptId,
  text: `The user asks you to decide which mode should continue the work. It was in ${mode}.${reason ? ` The user says: ${reason}` : ""}`,
});

function ifQueued(state: SessionState, promptId: string, event: SessionEvent): AcceptCommandResult {
  if (!state.queue.some((queued) => queued.promptId === promptId))
    return refuse("prompt_not_found", "This prompt is no longer queued: it was delivered or withdrawn.");
  return { events: [event] };
}

/** Says why a session cannot be in this mode: it does not exist, or its kind allows subtasks only. */
function unusableMode(slug: ModeSlug, { modes }: CommandFacts): { refused: Refusal } | undefined {
  const usable = modes.filter(({ kind }) => kind !== "subagent").map((mode) => mode.slug);
  if (usable.includes(slug)) return undefined;
  const isForSubtasks = modes.some((mode) => mode.slug === slug);
  return isForSubtasks
    ? refuse("mode_invalid", `The mode "${slug}" is for subtasks only (kind: subagent). Choose one of: ${usable.join(", ")}.`)
    : refuse("mode_not_found", `There is no mode "${slug}". The modes are: ${usable.join(", ")}.`);
}

function unknownModel({ model }: { model?: string | undefined }, { faultOfModel }: CommandFacts): { refused: Refusal } | undefined {
  const problem = model === undefined ? undefined : faultOfModel(model);
  return problem === undefined ? undefined : refuse("model_not_found", problem);
}

const actorName = (actor: Actor) => ("person" in actor ? actor.person : "the daemon");
