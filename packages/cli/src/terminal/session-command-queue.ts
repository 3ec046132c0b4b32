import type { AdditionalRoot } from "@baton/core/protocol/event";
import { nextModel } from "@baton/core/mode/next-step-model";
import { uploadAttachments } from "../run/upload-attachments.ts";
import type { SessionView } from "@baton/core/client/session-view";
import { runDetached } from "@baton/core/client/run-detached";
import type { SessionCommand } from "@baton/core/protocol/command";
import type { DaemonConnection } from "../connection/daemon-connection.ts";
import { errorMessage } from "@baton/core/client/rpc-errors";
import type { WorkspaceInfo } from "./workspace-info.ts";
import { formatCount } from "@baton/core/text/format";
import type { Commands } from "@baton/core/client/command-client";

/** How long Shift+Tab waits for another press before the mode is switched. */
const MODE_SETTLES_MS = 500;

type OutboxOptions = {
  link: DaemonConnection;
  commands: Commands;
  here: Pick<WorkspaceInfo, "modes" | "usualModel">;
  workspace: string;
  /** The mode and the chosen model of a session that has not begun. */
  mode: string;
  model?: string | undefined;
  /** Folders of that session besides its workspace. */
  roots?: readonly AdditionalRoot[] | undefined;
  /** The session on the screen. */
  view: () => SessionView | undefined;
  openSession: (id: string) => Promise<void>;
  notify: (text: string) => void;
  /** Puts back a text that could not be sent. */
  giveBack: (text: string) => void;
  onChange: () => void;
};

/** The id of the rule that accepts edits, in every session that has it. */
const ACCEPT_EDITS = "accept-edits";
const acceptEdits = (): SessionCommand => ({
  type: "grant",
  grantId: ACCEPT_EDITS,
  rule: { action: "edit", resource: "*", effect: "allow" },
});

/** Sends the user's commands for the session on the screen, one after the other. */
export class SessionCommandQueue {
  /** Output of the user's shell commands. It is sent with the next prompt. */
  readonly asides: string[] = [];
  readonly #parts: OutboxOptions;
  #mode: string;
  #model: string | undefined;
  /** The mode that the user chose but that is not switched yet. */
  #pendingMode: string | undefined;
  /** Whether edits will be accepted in the session that the next prompt starts. */
  #acceptsEdits = false;
  /** Folders of the session that the next prompt starts. */
  #roots: readonly AdditionalRoot[];
  #modeTimer: NodeJS.Timeout | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: OutboxOptions) {
    this.#parts = parts;
    this.#mode = parts.mode;
    this.#model = parts.model;
    this.#roots = parts.roots ?? [];
  }

  /** The folders that the next session may use besides its workspace. */
  roots(): readonly AdditionalRoot[] {
    return this.#roots;
  }

  /** Lets the session, or the next one, use a folder. */
  async addRoot(root: AdditionalRoot): Promise<void> {
    if (this.#parts.view()) return void (await this.run({ type: "addRoot", ...root }));
    this.#roots = [...this.#roots.filter(({ path }) => path !== root.path), root];
  }

  mode(): string {
    return this.#pendingMode ?? this.#parts.view()?.state.mode ?? this.#mode;
  }

  /** The model of the next step in the chosen mode. */
  model(): string | undefined {
    const { view, here } = this.#parts;
    return nextModel(
      view()?.state ?? { model: this.#model },
      here.modes.find(({ slug }) => slug === this.mode()),
      here.usualModel,
    );
  }

  /** The workspace and the other folders of the session, or of the one that the next prompt starts. */
  folders(): string[] {
    const { workspace, view } = this.#parts;
    return [workspace, ...(view()?.state.roots ?? this.#roots).map(({ path }) => path)];
  }

  /** Keeps mode and model for the next session. */
  leave({ state }: SessionView): void {
    this.#mode = this.mode();
    this.#model = state.model ?? this.#model;
  }

  /** Sends a prompt. It runs at once if no turn is running; otherwise it is queued or steers. */
  send(typed: string, delivery: "queue" | "steer"): void {
    const { link, commands, workspace, view, openSession } = this.#parts;
    const text = [typed, ...this.asides.splice(0)].join("\n\n");
    const work = async () => {
      await this.#settleMode();
      const images = await uploadAttachments(typed, this.folders(), link.api);
      if (!view()) {
        await openSession(await commands.start(workspace, this.#mode, this.#model, this.#roots));
        if (this.#acceptsEdits) await commands.send(view()?.id ?? "", acceptEdits());
      }
      const { id } = view() ?? {};
      if (id !== undefined) await commands.prompt(id, { text, images }, delivery);
    };
    runDetached(this.#inTurn(work, text), () => undefined);
  }

  /** Whether a command is on its way to the daemon. */
  sends(): boolean {
    return this.#waiting > 0;
  }

  /** Sends a command. Returns false and prints the reason if the daemon refuses it. */
  async run(command: SessionCommand): Promise<boolean> {
    const { id } = this.#parts.view() ?? {};
    if (id !== undefined) return this.#inTurn(() => this.#parts.commands.send(id, command));
    this.#parts.notify("There is no session yet.");
    return false;
  }

  /** Whether the session on the screen accepts edits without a question. */
  acceptsEdits(): boolean {
    const view = this.#parts.view();
    return view ? view.state.grants.some(({ id }) => id === ACCEPT_EDITS) : this.#acceptsEdits;
  }

  /** Accepts edits in this session from now on, or asks for each of them again. */
  async toggleAcceptEdits(): Promise<void> {
    const { view, onChange } = this.#parts;
    const accepts = this.acceptsEdits();
    if (view()) await this.run(accepts ? { type: "revokeGrant", grantId: ACCEPT_EDITS } : acceptEdits());
    else this.#acceptsEdits = !accepts;
    onChange();
  }

  /** Revokes everything that was allowed for this session, so that it asks again. */
  async askAgain(): Promise<void> {
    const { view, notify, onChange } = this.#parts;
    this.#acceptsEdits = false;
    const grants = view()?.state.grants ?? [];
    for (const { id } of grants) await this.run({ type: "revokeGrant", grantId: id });
    notify(
      grants.length === 0 ? "Nothing is allowed for this session only." : `Revoked ${formatCount(grants.length, "rule")} of this session.`,
    );
    onChange();
  }

  /** Chooses the next mode. It is switched after a pause. */
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

  /** The session has changed its mode. */
  modeChanged(): void {
    this.#pendingMode = undefined;
  }

  async chooseModel(model: string): Promise<void> {
    const { view, link, notify, onChange } = this.#parts;
    if (view()) return void (await this.run({ type: "chooseModel", model }));
    const { problem } = await link.api.daemon.model.query({ model });
    if (problem !== null) return notify(problem);
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

  /** Runs work after all earlier work. Returns false if it failed; `text` is then put back into the prompt. */
  #inTurn(work: () => Promise<void>, text?: string): Promise<boolean> {
    const { link, notify, giveBack } = this.#parts;
    this.#waiting++;
    const turn = this.#sending.then(async () => {
      if (link.state() === "stopped") await link.revive();
      await work();
      return true;
    });
    const turnText = turn
      .catch((error: unknown) => {
        if (text !== undefined) giveBack(text);
        notify(errorMessage(error));
        return false;
      })
      .finally(() => this.#waiting--);
    this.#sending = turnText;
    return turnText;
  }
}
