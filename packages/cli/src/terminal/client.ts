import type { Logged } from "@baton/core/protocol/event";
import type { Actor, Answer, Request, InboxItem } from "@baton/core/protocol/request";
import type { CallEntry } from "@baton/core/session/transcript";
import { openRequests } from "@baton/core/session/state";
import { answerOrigin } from "@baton/core/text/answer-origin";
import { oneLine } from "@baton/core/text/sanitize";
import { inboxLines } from "../render/inbox.ts";
import type { AnsiStyle } from "../render/ansi-style.ts";
import { hang, contentWidth, type TerminalStyle } from "../render/layout.ts";
import { requestLines } from "../render/request.ts";
import { followInbox } from "@baton/core/client/follow-lists";
import { openSessionView, type SessionView } from "@baton/core/client/session-view";
import { runDetached } from "@baton/core/client/run-detached";
import type { DaemonConnection, Modes } from "../connection/daemon-connection.ts";
import { errorMessage } from "@baton/core/client/errors";
import { withFullOutput } from "../commands/full-output.ts";
import { AnswerTracker, ANSWERED_ELSEWHERE, labelOf } from "./answer-tracker.ts";
import { footerLines } from "./footer.ts";
import { emptyInput, type InputBuffer } from "./input-buffer.ts";
import { WorkspaceInfo } from "./workspace-info.ts";
import type { History, Search } from "./history.ts";
import { Outbox } from "./outbox.ts";
import { Scrollback, type PrintedEntry } from "./scrollback.ts";
import type { Screen } from "./screen.ts";
import type { Suggestions } from "./completion.ts";
import { focusOn, inOrder, nextOf, keyDelay, type Focus, type OpenRequest } from "./request-focus.ts";
import { commandsFor } from "@baton/core/client/commands";

export type TerminalClientOptions = {
  link: DaemonConnection;
  screen: Screen;
  ink: AnsiStyle;
  home: string;
  history: History;
  modes: Modes;
  workspace: string;
  mode: string;
  /** The model that the person chose, and the configured one. */
  model?: string | undefined;
  usualModel?: string | undefined;
};

const FRAME_MS = 16;

/** The interactive client: one session on the screen, the inbox of all sessions, one line to type in. */
export class TerminalClient {
  readonly link: DaemonConnection;
  readonly here: WorkspaceInfo;
  readonly history: History;
  readonly workspace: string;
  readonly outbox: Outbox;
  readonly done = Promise.withResolvers<void>();
  draft: InputBuffer = emptyInput;
  /** What was being typed before a request got the keys. */
  stash: InputBuffer | undefined;
  /** Where the draft goes, `prompt` or a request: to what had the keys when its first character was typed. */
  draftFor = "prompt";
  typing: "note" | "rule" | undefined;
  focus: Focus | undefined;
  suggestions: (Suggestions & { chosen: number }) | undefined;
  hint: string | undefined;
  /** What was printed to choose from: how many there are, and what a digit does. */
  picking: { of: number; take: (index: number) => void } | undefined;
  search: Search | undefined;
  /** Stops the command of the person's own that runs. */
  stopShell: (() => void) | undefined;
  historyAt: number | undefined;
  /** Which page of the help comes next. */
  helpPage = 0;
  leaving = false;
  readonly #screen: Screen;
  readonly #ink: AnsiStyle;
  readonly #home: string;
  readonly #answers: AnswerTracker;
  readonly #later = new Set<string>();
  #printer = new Scrollback();
  #view: SessionView | undefined;
  #inbox: readonly InboxItem[] = [];
  #lines: string[] = [];
  #frame: NodeJS.Timeout | undefined;
  #quietTimer: NodeJS.Timeout | undefined;
  #expanded = 0;

  constructor({ link, screen, ink, home, history, modes, workspace, mode, model, usualModel }: TerminalClientOptions) {
    [this.link, this.history, this.workspace] = [link, history, workspace];
    [this.#screen, this.#ink, this.#home] = [screen, ink, home];
    this.here = new WorkspaceInfo({ link, workspace, modes, usualModel });
    const commands = commandsFor(link.api);
    const say = (text: string) => this.say(text);
    this.#answers = new AnswerTracker({ link, commands, say });
    this.outbox = new Outbox({
      link,
      commands,
      here: this.here,
      workspace,
      mode,
      model,
      say,
      view: () => this.#view,
      openSession: (id) => this.openSession(id),
      giveBack: (text) => {
        if (this.draft.text === "") this.draft = { text, cursor: text.length };
      },
      onChange: () => this.draw(),
    });
  }

  look(): TerminalStyle {
    return { columns: this.#screen.columns(), ink: this.#ink, now: Date.now(), home: this.#home };
  }

  busy(): boolean {
    return this.#view?.state.turn !== undefined;
  }

  view(): SessionView | undefined {
    return this.#view;
  }

  /** Every open request, this session's first. */
  open(): OpenRequest[] {
    const { state, id = "" } = this.#view ?? {};
    const root = id.split(".", 1)[0];
    const own = state ? openRequests(state).map((request): OpenRequest => ({ request, own: true, mode: state.mode })) : [];
    const others = this.#inbox
      .filter(({ sessionId }) => sessionId !== id)
      .map((item): OpenRequest => ({ request: item, own: item.rootSessionId === root, mode: item.mode, title: item.title }));
    return inOrder([...own, ...others]);
  }

  focused(): OpenRequest | undefined {
    const { focus } = this;
    return focus && this.open().find(({ request }) => request.id === focus.id);
  }

  /** Follows the inbox until the client ends. */
  followInbox(): void {
    followInbox(
      this.link.api,
      (items) => {
        this.#inbox = items;
        this.settleFocus();
        this.draw();
      },
      { onError: (error) => this.say(errorMessage(error)) },
    );
  }

  /** Puts a session on the screen, with the newest part of what happened in it. */
  async openSession(id: string): Promise<void> {
    this.leaveSession();
    const view = await openSessionView(this.link.api, id, {
      onChange: (events) => this.#changed(events),
      onError: (error) => this.#problem(error),
      onReopened: (why) => {
        this.#printer = new Scrollback();
        const reason = why === "restored" ? "The store was restored to an earlier time" : "The session was taken back to an earlier prompt";
        this.print([this.#ink.dim(`${reason}. This is the session as it is now:`)]);
        this.#changed([]);
      },
    });
    this.#view = view;
    for (const request of openRequests(view.state)) this.#answers.opened(request);
    if (view.from > 1) this.print([this.#ink.dim(`… the earlier part: baton show ${id}`)]);
    this.settleFocus();
    this.draw();
  }

  leaveSession(): void {
    this.#view?.close();
    if (this.#view) this.outbox.leave(this.#view);
    this.#view = undefined;
    this.#printer = new Scrollback();
    this.unfocus();
    this.draw();
  }

  /** Lines for the scrollback, set apart from what stands above. */
  print(lines: readonly string[]): void {
    this.#flush();
    this.#lines.push(...this.#printer.other(lines));
    this.draw();
  }

  /** A sentence of the client itself. */
  say(text: string): void {
    this.print(hang(oneLine(text), "  – ", contentWidth(this.look())));
  }

  /** Shows the newest state at the next frame. */
  draw(): void {
    this.#frame ??= setTimeout(() => this.#drawNow(), FRAME_MS);
  }

  #drawNow(): void {
    this.#frame = undefined;
    if (this.leaving) return;
    const look = this.look();
    const taken = this.#take(look);
    this.#drawWhenQuiet();
    const lines = [...this.#lines, ...taken.lines];
    this.#lines = [];
    this.#screen.draw(lines, footerLines(this, taken.live, look, this.rows()));
  }

  /** The moment from which a request takes keys is to be seen. */
  #drawWhenQuiet(): void {
    clearTimeout(this.#quietTimer);
    const left = this.focus ? keyDelay(this.focus, performance.now()) : 0;
    if (left > 0) this.#quietTimer = setTimeout(() => this.#nowQuiet(), left);
  }

  #nowQuiet(): void {
    this.hint = undefined;
    this.draw();
  }

  #take(look: TerminalStyle): PrintedEntry {
    if (!this.#view) return { lines: [], live: [] };
    const { transcript, streams, state } = this.#view;
    return this.#printer.take(transcript, streams, look, (entry) => this.#answerOf(entry), state.held);
  }

  #answerOf({ request }: CallEntry) {
    return request && this.#answers.seen(request.id);
  }

  #changed(events: readonly Logged[]): void {
    for (const event of events) {
      if (event.type === "request.opened") this.#answers.opened(event.request);
      if (event.type === "request.answered") this.#answered(event.requestId, event.at, event.by, event.answer);
      if (event.type === "mode.changed") this.outbox.modeChanged();
      if (event.type === "trust.settled" || (event.type === "model.started" && this.here.usualModel === undefined))
        runDetached(
          this.here.learn().then(() => this.draw()),
          () => undefined, // what was known before holds on
        );
    }
    this.settleFocus();
    this.draw();
  }

  /** Somebody answered. Whoever had the request before their eyes is told when it was not them. */
  #answered(id: string, at: number, by: Actor, answer: Answer): void {
    const here = this.#answers.answered(id, at);
    const said = this.#answers.besideSaid(id, by, answer, here);
    if (said !== undefined) return this.say(said);
    if (here || this.focus?.id !== id) return;
    const entry = this.#view?.transcript.entries.findLast((call) => call.kind === "call" && call.request?.id === id);
    const label = labelOf(answer, entry?.kind === "call" ? entry.request : undefined);
    this.say(`This was answered ${answerOrigin(by, ANSWERED_ELSEWHERE)}: “${label}”.`);
  }

  #problem(error: unknown): void {
    this.say(typeof error === "string" ? error : errorMessage(error));
  }

  /** Gives the keys to the oldest request of this session, unless something is being typed; takes them from one that is gone. */
  settleFocus(): void {
    if (this.focus && !this.focused()) this.unfocus();
    if (this.focus || this.draft.text !== "" || this.typing || this.picking) return;
    const next = this.open().find((open) => this.#takesKeys(open));
    if (next) this.focusRequest(next);
  }

  /** What is asked of the folder stands below the prompt that began the session, not above it. */
  #takesKeys({ request, own }: OpenRequest): boolean {
    const isBegun = (this.#view?.transcript.entries.length ?? 0) > 0 || !this.outbox.sends();
    return own && !this.#later.has(request.id) && !this.#answers.has(request.id) && (isBegun || !("workspace" in request.subject));
  }

  /** Prints a request whole, and gives it the keys. */
  focusRequest(open: OpenRequest, wanted = false): void {
    if (this.draft.text !== "") [this.stash, this.draft] = [this.draft, emptyInput];
    this.focus = focusOn(open.request.id, performance.now(), wanted);
    this.#later.delete(open.request.id);
    this.print(requestLines(open.request, this.#standingOf(open), this.look()));
  }

  /** What has become final is printed before what comes now. */
  #flush(): void {
    this.#lines.push(...this.#take(this.look()).lines);
  }

  #standingOf({ request, own, mode, title }: OpenRequest): { mode: string; nth: number; of: number; title?: string | undefined } {
    const ids = this.open()
      .filter((open) => open.own === own)
      .map((open) => open.request.id);
    return { mode, nth: ids.indexOf(request.id) + 1, of: own ? ids.length : 1, ...(title === undefined ? {} : { title }) };
  }

  nextRequest(): void {
    const next = nextOf(this.open(), this.focus?.id);
    if (next) this.focusRequest(next, true);
    else this.hint = "nothing needs you";
    this.draw();
  }

  unfocus(): void {
    this.focus = undefined;
    this.typing = undefined;
    if (this.draftFor !== "prompt") this.draft = emptyInput;
    if (this.stash && this.draft.text === "") this.draft = this.stash;
    this.stash = undefined;
    this.draftFor = "prompt";
  }

  /** Leaves the request open and goes back to the prompt. */
  later(): void {
    if (this.focus) this.#later.add(this.focus.id);
    this.unfocus();
    this.draw();
  }

  interrupt(): void {
    runDetached(this.outbox.wish({ type: "interrupt" }), (error) => this.#problem(error));
  }

  /** Answers the request that has the keys. */
  give(request: Request, answer: Answer): void {
    runDetached(this.#answer(request, answer), (error) => this.#problem(error));
  }

  async #answer(request: Request, answer: Answer): Promise<void> {
    if (this.link.state() !== "connected") return void (this.hint = "not connected: no answer is taken now");
    if (this.#answers.has(request.id)) return;
    const { own, title } = this.focused() ?? { own: true, title: undefined };
    const counts = await this.#answers.give(request, answer, this.focus ?? {});
    if (counts && !own) this.say(`Answered ${answer.choice ?? "in your words"}${title === undefined ? "" : ` in “${oneLine(title)}”`}.`);
    if (counts && this.focus?.id === request.id) this.unfocus();
    this.settleFocus();
    this.draw();
  }

  showInbox(): void {
    const items = this.#inbox;
    const lines = inboxLines(items, this.look());
    if (items.length === 0) return this.print(lines);
    this.offer(lines, items.length, (index) => {
      const open = this.open().find(({ request }) => request.id === items[index]?.id);
      if (open) this.focusRequest(open, true);
    });
  }

  /** Prints things to choose from by digit. */
  offer(lines: readonly string[], of: number, take: (index: number) => void): void {
    this.picking = { of, take };
    this.print([...lines, "", this.#ink.dim("  a digit chooses · Esc")]);
  }

  pick(index: number): void {
    const { picking } = this;
    this.picking = undefined;
    picking?.take(index);
    this.draw();
  }

  /** All of the last call; pressed again, of the one before. */
  expandCall(): void {
    const calls =
      this.#view?.transcript.entries.filter(
        (entry): entry is CallEntry => entry.kind === "call" && entry.result !== undefined && !entry.result.ends,
      ) ?? [];
    const entry = calls.at(-1 - this.#expanded);
    if (!entry) return void (this.hint = "there is no call to show");
    this.#expanded++;
    const expand = async () => {
      const whole = await withFullOutput(this.link.api, entry);
      this.#flush();
      this.#lines.push(...this.#printer.expand(whole, this.look(), this.#answerOf(entry)));
      this.draw();
    };
    runDetached(expand(), (error) => this.#problem(error));
  }

  /** Any other key begins again at the last call. */
  forgetExpanded(): void {
    this.#expanded = 0;
  }

  rows(): number {
    return this.#screen.rows();
  }

  leave(): void {
    if (this.leaving) return;
    this.#drawNow();
    this.leaving = true;
    clearTimeout(this.#frame);
    this.outbox.close();
    clearTimeout(this.#quietTimer);
    this.done.resolve();
  }
}
