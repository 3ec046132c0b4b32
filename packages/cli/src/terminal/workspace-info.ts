import { userSelectable } from "@baton/core/mode/user-selectable";
import type { DaemonConnection, Modes } from "../connection/daemon-connection.ts";

type Command = { name: string; about: string };

export type WorkspaceInfoOptions = { link: DaemonConnection; workspace: string; modes: Modes; usualModel: string | undefined };

/** What is known of the folder: its modes and usual model, and what can be named by `/` and `@`. More of it as it is learned. */
export class WorkspaceInfo {
  modes: Modes;
  /** The configured model, as far as there is one. */
  usualModel: string | undefined;
  /** Resources of servers as they can be named behind an `@`; undefined as long as nobody has asked. */
  resources: readonly { text: string; about: string }[] | undefined;
  readonly #parts: Pick<WorkspaceInfoOptions, "link" | "workspace">;
  #ofFiles: readonly Command[] = [];
  #ofServers: readonly Command[] = [];

  constructor({ modes, usualModel, ...parts }: WorkspaceInfoOptions) {
    [this.modes, this.usualModel, this.#parts] = [modes, usualModel, parts];
  }

  /** Slash commands from files and of servers: sent as they are, the daemon fills them in. */
  commands(): readonly Command[] {
    return [...this.#ofFiles, ...this.#ofServers];
  }

  /** Learns anew what holds here: it is more once the folder is trusted, and the config may have changed. */
  async learn(): Promise<void> {
    const { link, workspace: cwd } = this.#parts;
    const learned = [link.api.daemon.modes.query({ cwd }), link.api.daemon.model.query({}), this.learnCommands()] as const;
    const [modes, usual] = await Promise.all(learned);
    [this.modes, this.usualModel] = [modes.filter(userSelectable), usual.id ?? undefined];
  }

  /** Learns which slash commands files give here. */
  async learnCommands(): Promise<void> {
    const { link, workspace: cwd } = this.#parts;
    this.#ofFiles = (await link.api.workspace.commands.query({ cwd })).map(suggested);
  }

  /** Learns what servers have to be named by `/` and `@`. That may start them, so it is asked when one of these is typed, once. */
  async learnOfServers(): Promise<void> {
    if (this.resources) return;
    this.resources = [];
    const { link, workspace: cwd } = this.#parts;
    const { prompts, resources } = await link.api.mcp.named.query({ cwd });
    this.#ofServers = prompts.map(suggested);
    this.resources = resources;
  }
}

const suggested = ({ name, description, argumentHint = "" }: { name: string; description: string; argumentHint?: string }): Command => ({
  name,
  about: [argumentHint, description].join(" ").trim(),
});
