import { nextModel } from "@baton/core/mode/model-preference";
import { uploadAttachments } from "../run/upload-attachments.ts";
import type { SessionView } from "@baton/core/client/session-view";
import { runDetached } from "@baton/core/client/run-detached";
import type { SessionCommand } from "@baton/core/protocol/command";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import { errorMessage } from "@baton/core/client/errors";
import type { WorkspaceInfo } from "./workspace-info.ts";
import type { Commands } from "@baton/core/client/commands";

/** How long Shift+Tab waits for another one before the mode is really switched. */
const MODE_SETTLES_MS = 500;

export type OutboxOptions = {
  link: DaemonConnection;
  commands: Commands;
  here: Pick<WorkspaceInfo, "modes" | "usualModel">;
  workspace: string;
  /** Of a session that has not begun: its mode, and the model that the person chose. */
  mode: string;
  model?: string | undefined;
  /** The session on the screen. */
  view: () => SessionView | undefined;
  openSession: (id: string) => Promise<void>;
  say: (text: string) => void;
  /** Takes back a text that could not be sent. */
  giveBack: (text: string) => void;
  onChange: () => void;
};

/** What the person wants of the session on the screen goes out here, one wish after the other. */
export class Outbox {
  /** What commands of the person's own printed, to go along with the next prompt. */
  readonly asides: string[] = [];
  readonly #parts: OutboxOptions;
  #mode: string;
  #model: string | undefined;
  /** The mode that is chosen, but not yet the session's. */
  #pendingMode: string | undefined;
  #modeTimer: NodeJS.Timeout | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: OutboxOptions) {
    this.#parts = parts;
    [this.#mode, this.#model] = [parts.mode, parts.model];
  }

  mode(): string {
    return this.#pendingMode ?? this.#parts.view()?.state.mode ?? this.#mode;
  }

  /** The model that the next step will be asked of, in the mode that is chosen now. */
  model(): string | undefined {
    const { view, here } = this.#parts;
    return nextModel(
      view()?.state ?? { model: this.#model },
      here.modes.find(({ slug }) => slug === this.mode()),
      here.usualModel,
    );
  }

  /** The next session begins as this one was left. */
  leave({ state }: SessionView): void {
    [this.#mode, this.#model] = [this.mode(), state.model ?? this.#model];
  }

  /** Sends what was typed: at once when nothing works, else queued or steering. */
  send(typed: string, delivery: "queue" | "steer"): void {
    const { link, commands, workspace, view, openSession } = this.#parts;
    const text = [typed, ...this.asides.splice(0)].join("\n\n");
    const work = async () => {
      await this.#settleMode();
      const images = await uploadAttachments(typed, workspace, link.api);
      if (!view()) await openSession(await commands.start(workspace, this.#mode, this.#model));
      const { id } = view() ?? {};
      if (id !== undefined) await commands.prompt(id, { text, images }, delivery);
    };
    runDetached(this.#inTurn(work, text), () => undefined);
  }

  /** Whether something is on its way to the daemon. */
  sends(): boolean {
    return this.#waiting > 0;
  }

  /** Gives whether it was done; what was refused is told. */
  async wish(wish: SessionCommand): Promise<boolean> {
    const { id } = this.#parts.view() ?? {};
    if (id !== undefined) return this.#inTurn(() => this.#parts.commands.send(id, wish));
    this.#parts.say("There is no session yet.");
    return false;
  }

  /** The next mode in the list, switched when no other key follows at once. */
  turnMode(): void {
    const { onChange, here } = this.#parts;
    const { modes } = here;
    const at = modes.findIndex(({ slug }) => slug === this.mode());
    this.#pendingMode = modes[(at + 1) % modes.length]?.slug;
    clearTimeout(this.#modeTimer);
    this.#modeTimer = setTimeout(() => void this.#inTurn(() => this.#settleMode()), MODE_SETTLES_MS);
    onChange();
  }

  async switchMode(mode: string): Promise<void> {
    this.#pendingMode = mode;
    await this.#inTurn(() => this.#settleMode());
    this.#parts.onChange();
  }

  /** The session has another mode now, whoever switched it. */
  modeChanged(): void {
    this.#pendingMode = undefined;
  }

  async chooseModel(model: string): Promise<void> {
    const { view, link, say, onChange } = this.#parts;
    if (view()) return void (await this.wish({ type: "chooseModel", model }));
    const { problem } = await link.api.daemon.model.query({ model });
    if (problem !== null) return say(problem);
    this.#model = model;
    onChange();
  }

  close(): void {
    clearTimeout(this.#modeTimer);
  }

  async #settleMode(): Promise<void> {
    clearTimeout(this.#modeTimer);
    const to = this.#pendingMode;
    const view = this.#parts.view();
    if (to === undefined) return;
    if (!view) this.#mode = to;
    if (!view || to === view.state.mode) return this.modeChanged();
    await this.#parts.commands.send(view.id, { type: "switchMode", mode: to }).finally(() => this.modeChanged());
  }

  /** Gives whether it was done. A text whose wish fails is there to be sent again. */
  #inTurn(work: () => Promise<void>, text?: string): Promise<boolean> {
    const { link, say, giveBack } = this.#parts;
    this.#waiting++;
    const turn = this.#sending.then(async () => {
      if (link.state() === "stopped") await link.revive();
      await work();
      return true;
    });
    const told = turn
      .catch((error: unknown) => {
        if (text !== undefined) giveBack(text);
        say(errorMessage(error));
        return false;
      })
      .finally(() => this.#waiting--);
    this.#sending = told;
    return told;
  }
}
