import path from "node:path";
import type { KeyBindings } from "@baton/core/terminal/key-bindings";
import type { LoggedEvent, AdditionalRoot } from "@baton/core/protocol/event";
import type { Actor, RequestAnswer, Request } from "@baton/core/protocol/request";
import type { CallEntry } from "@baton/core/session/transcript/entry";
import { openRequests } from "@baton/core/session/state";
import { answerOrigin } from "@baton/core/text/request/answer-origin";
import { oneLine } from "@baton/core/text/sanitize";
import { createCommands } from "@baton/core/client/command-client";
import { errorMessage, refusalOf } from "@baton/core/client/rpc-errors";
import { followInbox } from "@baton/core/client/follow-lists";
import { runDetached } from "@baton/core/client/run-detached";
import { openSessionView, type SessionView } from "@baton/core/client/session-view";
import type { DaemonConnection, Modes } from "../connection/daemon-connection.ts";
import type { AnsiStyle } from "../render/ansi-style.ts";
import { hangingIndent, contentWidth, truncate, type TerminalStyle } from "../render/layout.ts";
import { requestLines } from "../render/request/request.ts";
import { inboxLines } from "../render/lists/inbox.ts";
import { RequestAnswers, FROM_OTHER_CLIENT, answerLabel } from "./request-answers.ts";
import { PastedImages } from "./commands/clipboard-image.ts";
import type { History } from "./input/history.ts";
import { PromptLine } from "./input/prompt-line.ts";
import { doublePress, pressCount } from "./keys/repeated-press.ts";
import { SessionCommandQueue } from "./session-command-queue.ts";
import { TerminalNotifier } from "./output/terminal-notifier.ts";
import { TerminalRenderer } from "./output/terminal-renderer.ts";
import { bottomPaneLines } from "./output/bottom-pane.ts";
import { fetchFullOutput } from "./output/fetch-full-output.ts";
import type { Screen } from "./output/screen.ts";
import { Picker, type PickerOptions } from "./picker.ts";
import { keyDelay, RequestFocus, type OpenRequest } from "./request-focus.ts";
import { StatusCommand } from "./status/status-command.ts";
import { statusInput, type StatusSource } from "./status/status-input.ts";
import { WorkspaceInfo } from "./workspace-info.ts";

type TerminalClientOptions = {
  link: DaemonConnection;
  screen: Screen;
  ansi: AnsiStyle;
  home: string;
  history: History;
  modes: Modes;
  workspace: string;
  mode: string;
  /** The model that the user chose, and the configured one. */
  model?: string | undefined;
  usualModel?: string | undefined;
  keys: KeyBindings;
  /** Whether the prompt has the keys of vi. */
  vim?: boolean | undefined;
  /** The user's own command for the status line. */
  statusLine?: { command: string } | undefined;
  roots?: readonly AdditionalRoot[] | undefined;
};

const LEAVE_MS = 2_000;
const REWIND_MS = 1_000;
const GONE =
  "This session no longer exists. It was deleted, or the store was restored to an earlier time. /new starts another session, and /sessions lists the others.";

/** Things that were printed to choose from by a digit. */
type Menu = { size: number; choose: (index: number) => void };

/**
 * The interactive client: one session on the screen, the inbox of all sessions, and one line to type in. Each part of its
 * state has an owner: `line` the typed text, `requests` the focus, `commandQueue` what is sent, `#display` the screen.
 */
export class TerminalClient {
  readonly link: DaemonConnection;
  readonly here: WorkspaceInfo;
  readonly history: History;
  readonly keys: KeyBindings;
  readonly workspace: string;
  readonly commandQueue: SessionCommandQueue;
  readonly line: PromptLine;
  readonly requests: RequestFocus;
  /** Keys whose second press does something else. */
  readonly presses = { leave: doublePress(LEAVE_MS), rewind: doublePress(REWIND_MS), help: pressCount(), expand: pressCount() };
  readonly attention: TerminalNotifier;
  readonly pastedImages = new PastedImages();
  readonly statusCommand: StatusCommand | undefined;
  readonly done = Promise.withResolvers<void>();
  readonly #display: TerminalRenderer;
  readonly #answers: RequestAnswers;
  #view: SessionView | undefined;
  #menu: Menu | undefined;
  #picker: Picker<unknown> | undefined;
  #hint: string | undefined;
  #stopProgram: (() => void) | undefined;
  #readyTimer: NodeJS.Timeout | undefined;
  #left = false;

  constructor({
    link,
    screen,
    ansi,
    home,
    history,
    modes,
    workspace,
    mode,
    model,
    usualModel,
    keys,
    vim,
    statusLine,
    roots,
  }: TerminalClientOptions) {
    this.link = link;
    this.history = history;
    this.keys = keys;
    this.workspace = workspace;
    this.line = new PromptLine(history);
    if (vim) this.line.enableVim();
    this.requests = new RequestFocus(() => this.#view);
    this.here = new WorkspaceInfo({ link, workspace, modes, usualModel });
    this.#display = new TerminalRenderer({
      screen,
      ansi,
      home,
      keys,
      view: () => this.#view,
      answerTo: ({ request }) => request && this.#answers.seen(request.id),
      footer: (live, style, rows) => {
        this.#redrawWhenReady();
        return bottomPaneLines(this, live, style, rows);
      },
    });
    this.attention = new TerminalNotifier({
      write: (sequence) => this.#display.write(sequence),
      env: process.env,
      now: () => Date.now(),
      folder: path.basename(workspace),
    });
    const commands = createCommands(link.api);
    const notify = (text: string) => this.notify(text);
    this.statusCommand =
      statusLine &&
      new StatusCommand({
        command: statusLine.command,
        cwd: workspace,
        input: () => statusInput(this.#statusSource()),
        onChange: () => this.draw(),
        onProblem: (problem) => this.notify(`The command of the status line failed: ${problem}. Baton shows its own line.`),
      });
    this.#answers = new RequestAnswers({ link, commands, notify });
    this.commandQueue = new SessionCommandQueue({
      link,
      commands,
      here: this.here,
      workspace,
      mode,
      model,
      roots,
      notify,
      view: () => this.#view,
      openSession: (id) => this.openSession(id),
      giveBack: (text) => {
        if (this.line.text === "") this.line.setText(text);
      },
      onChange: () => this.draw(),
    });
  }

  style(): TerminalStyle {
    return this.#display.style();
  }

  rows(): number {
    return this.#display.rows();
  }

  busy(): boolean {
    return this.#view?.state.turn !== undefined;
  }

  view(): SessionView | undefined {
    return this.#view;
  }

  get hint(): string | undefined {
    return this.#hint;
  }

  /** Shows a hint in the status line until the next key. */
  showHint(text: string): void {
    this.#hint = text;
  }

  clearHint(): void {
    this.#hint = undefined;
  }

  /** Follows the inbox until the client ends. */
  followInbox(): void {
    followInbox(
      this.link.api,
      (items) => {
        this.requests.setInbox(items);
        this.settleFocus();
        this.draw();
      },
      { onError: (error) => this.notify(errorMessage(error)) },
    );
  }

  /** Shows a session, with the newest part of its transcript. */
  async openSession(id: string): Promise<void> {
    this.leaveSession();
    const view = await openSessionView(this.link.api, id, {
      onChange: (events) => this.#changed(events),
      onError: (error) => this.#problem(refusalOf(error)?.code === "session_not_found" ? GONE : error),
      onReopened: (why) => {
        const reason = why === "restored" ? "The store was restored to an earlier time" : "The session was taken back to an earlier prompt";
        this.#display.startOver([this.style().ansi.dim(`${reason}. This is the session as it is now:`)]);
        this.#changed([]);
      },
    });
    this.#view = view;
    for (const request of openRequests(view.state)) this.#answers.opened(request);
    if (view.from > 1) this.print([this.style().ansi.dim(`… the earlier part: baton show ${id}`)]);
    this.settleFocus();
    this.draw();
  }

  leaveSession(): void {
    this.#view?.close();
    if (this.#view) this.commandQueue.leave(this.#view);
    this.#view = undefined;
    this.#display.startOver();
    this.unfocus();
    this.draw();
  }

  /** Prints lines into the scrollback, after an empty line. */
  print(lines: readonly string[]): void {
    this.#display.print(lines);
  }

  /** Prints a sentence of the client itself. */
  notify(text: string): void {
    this.print(hangingIndent(oneLine(text), "  – ", contentWidth(this.style())));
  }

  /** Shows the newest state in the next frame. */
  draw(): void {
    this.attention.update({
      requests: this.requests.open().map(({ request, title = "" }) => ({ id: request.id, title: oneLine(title || request.header) })),
      turn: this.#view?.state.turn?.startedAt,
      session: oneLine(this.#view?.state.title ?? ""),
    });
    this.statusCommand?.update();
    this.#display.draw();
  }

  /** Writes a sequence that moves nothing, for example to the clipboard. */
  writeSequence(sequence: string): void {
    this.#display.write(sequence);
  }

  /** Lets another program use the terminal while `work` runs. */
  withTerminalReleased<T>(work: () => T): T {
    try {
      return this.#display.release(work);
    } finally {
      this.draw();
    }
  }

  /** Gives the keys to the oldest request of this session, unless the user is typing. Takes them from a request that was closed. */
  settleFocus(): void {
    if (this.requests.focus && !this.requests.focused()) this.unfocus();
    if (this.requests.focus || this.line.text !== "" || this.line.field || this.#menu || this.#picker) return;
    const next = this.requests.open().find((open) => this.#takesKeys(open));
    if (next) this.focusRequest(next);
  }

  /** Prints a request and gives it the keys. `byUser` is true if the user asked for it. */
  focusRequest(open: OpenRequest, byUser = false): void {
    this.line.setAside();
    this.requests.setFocus(open, performance.now(), byUser);
    this.print(requestLines(open.request, this.requests.position(open), this.style()));
  }

  nextRequest(): void {
    const next = this.requests.next();
    if (next) this.focusRequest(next, true);
    else this.showHint("nothing needs you");
    this.draw();
  }

  unfocus(): void {
    this.requests.clearFocus();
    this.line.restore();
  }

  /** Leaves the request open and goes back to the prompt. */
  later(): void {
    this.requests.postpone();
    this.unfocus();
    this.draw();
  }

  interrupt(): void {
    runDetached(this.commandQueue.run({ type: "interrupt" }), (error) => this.#problem(error));
  }

  /** Answers the request that has the keys. */
  give(request: Request, answer: RequestAnswer): void {
    runDetached(this.#answer(request, answer), (error) => this.#problem(error));
  }

  showInbox(): void {
    const items = this.requests.inbox;
    const lines = inboxLines(items, this.style());
    if (items.length === 0) return this.print(lines);
    this.offer(lines, items.length, (index) => {
      const open = this.requests.open().find(({ request }) => request.id === items[index]?.id);
      if (open) this.focusRequest(open, true);
    });
  }

  /** Prints things to choose from by a digit. */
  offer(lines: readonly string[], size: number, choose: (index: number) => void): void {
    this.#menu = { size, choose };
    this.print([...lines, "", this.style().ansi.dim("  Press a number to choose · Esc closes")]);
  }

  /** Opens a list to pick from, which takes the keys until the user picks or closes it. */
  pick<T>(options: PickerOptions<T>): void {
    this.#picker = new Picker(options) as Picker<unknown>; // its values only reach its own callbacks
    this.draw();
  }

  get picker(): Picker<unknown> | undefined {
    return this.#picker;
  }

  closePicker(): void {
    this.#picker = undefined;
    this.settleFocus();
  }

  /** The number of choices; 0 if nothing was offered. */
  menuSize(): number {
    return this.#menu?.size ?? 0;
  }

  closeMenu(): void {
    this.#menu = undefined;
  }

  choose(index: number): void {
    const menu = this.#menu;
    this.#menu = undefined;
    menu?.choose(index);
    this.draw();
  }

  /** Prints all of the last call; pressed again, of the one before. */
  expandCall(): void {
    const calls =
      this.#view?.transcript.entries.filter(
        (entry): entry is CallEntry => entry.kind === "call" && entry.result !== undefined && !entry.result.ends,
      ) ?? [];
    const { expand: presses } = this.presses;
    const entry = calls.at(-1 - presses.get());
    if (!entry) return this.showHint("there is no call to show");
    presses.set(presses.get() + 1);
    const expand = async () => this.#display.expand(await fetchFullOutput(this.link.api, entry));
    runDetached(expand(), (error) => this.#problem(error));
  }

  /** Runs a program that Esc can stop with `stop`. */
  async whileStoppable<T>(stop: () => void, program: Promise<T>): Promise<T> {
    this.#stopProgram = stop;
    try {
      return await program;
    } finally {
      this.#stopProgram = undefined;
    }
  }

  /** Stops the program that the user runs. Returns false if there is none. */
  stopProgram(): boolean {
    this.#stopProgram?.();
    return this.#stopProgram !== undefined;
  }

  leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.attention.close();
    this.statusCommand?.close();
    this.pastedImages.close();
    this.#display.close();
    this.commandQueue.close();
    clearTimeout(this.#readyTimer);
    this.done.resolve();
  }

  #statusSource(): StatusSource {
    const { commandQueue, line, requests, workspace } = this;
    return {
      workspace,
      mode: commandQueue.mode(),
      model: commandQueue.model(),
      acceptsEdits: commandQueue.acceptsEdits(),
      requests: requests.open().length,
      vim: line.vim?.mode,
      view: this.#view,
    };
  }

  /** Redraws when the focused request begins to accept keys. */
  #redrawWhenReady(): void {
    clearTimeout(this.#readyTimer);
    const left = this.requests.focus ? keyDelay(this.requests.focus, performance.now()) : 0;
    if (left === 0) return;
    this.#readyTimer = setTimeout(() => {
      this.clearHint();
      this.draw();
    }, left);
  }

  #changed(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      if (event.type === "request.opened") this.#answers.opened(event.request);
      if (event.type === "request.answered") this.#answered(event.requestId, event.at, event.by, event.answer);
      if (event.type === "session.rewound" && event.to >= (this.#view?.from ?? 1) - 1) this.#rewound(); // otherwise it opens again
      if (event.type === "mode.changed") this.commandQueue.modeChanged();
      if (event.type === "trust.settled" || (event.type === "model.started" && this.here.usualModel === undefined))
        runDetached(
          this.here.learn().then(() => this.draw()),
          () => undefined, // the client keeps what it knew before
        );
    }
    if (events.some(({ type }) => type === "server.settled" || type === "turn.ended"))
      runDetached(
        this.here.learnEnvironment().then(() => this.draw()),
        () => undefined, // the next turn asks again
      );
    this.settleFocus();
    this.draw();
  }

  /** Says which part of what was printed no longer applies. */
  #rewound(): void {
    const last = this.#view?.transcript.entries.findLast((entry) => entry.kind === "prompt" && entry.synthetic === undefined);
    const text = last?.kind === "prompt" ? oneLine(last.slash ?? last.text) : undefined;
    this.notify(
      text === undefined
        ? "The session was taken back to its beginning."
        : `The session was taken back: its last prompt is now “${truncate(text, 60)}”.`,
    );
  }

  /** Says that another client answered the request that the user is looking at. */
  #answered(id: string, at: number, by: Actor, answer: RequestAnswer): void {
    const here = this.#answers.answered(id, at);
    const sentence = this.#answers.describeAnswer(id, by, answer, here);
    if (sentence !== undefined) return this.notify(sentence);
    if (here || this.requests.focus?.id !== id) return;
    const entry = this.#view?.transcript.entries.findLast((call) => call.kind === "call" && call.request?.id === id);
    const label = answerLabel(answer, entry?.kind === "call" ? entry.request : undefined);
    this.notify(`This was answered ${answerOrigin(by, FROM_OTHER_CLIENT)}: “${label}”.`);
  }

  #problem(error: unknown): void {
    this.notify(typeof error === "string" ? error : errorMessage(error));
  }

  /** Whether a request may take the keys. Questions about the folder wait until the first prompt is on the screen. */
  #takesKeys({ request, own }: OpenRequest): boolean {
    const hasBegun = (this.#view?.transcript.entries.length ?? 0) > 0 || !this.commandQueue.sends();
    const isNew = !this.requests.isPostponed(request.id) && !this.#answers.has(request.id);
    return own && isNew && (hasBegun || !("workspace" in request.subject));
  }

  async #answer(request: Request, answer: RequestAnswer): Promise<void> {
    if (this.link.state() !== "connected") return this.showHint("not connected: no answer is taken now");
    if (this.#answers.has(request.id)) return;
    const { own, title } = this.requests.focused() ?? { own: true, title: undefined };
    const counts = await this.#answers.give(request, answer, this.requests.focus ?? {});
    if (counts && !own) this.notify(`Answered “${answerLabel(answer, request)}”${title === undefined ? "" : ` in “${oneLine(title)}”`}.`);
    if (counts && this.requests.focus?.id === request.id) this.unfocus();
    this.settleFocus();
    this.draw();
  }
}
