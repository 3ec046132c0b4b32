import { userSelectable } from "@baton/core/mode/user-selectable";
import type { DaemonConnection, Modes } from "../connection/daemon-connection.ts";

type Command = { name: string; about: string };

type WorkspaceInfoOptions = { link: DaemonConnection; workspace: string; modes: Modes; usualModel: string | undefined };

/** The client's knowledge of the folder: modes, default model, and names for `/` and `@`. It learns more over time. */
export class WorkspaceInfo {
  modes: Modes;
  /** The configured model, if there is one. */
  usualModel: string | undefined;
  /** Resources of servers for `@`; undefined until they were requested. */
  resources: readonly { text: string; about: string }[] | undefined;
  /** The names of the tools whose environment commands get here. */
  environment: readonly string[] = [];
  readonly #parts: Pick<WorkspaceInfoOptions, "link" | "workspace">;
  #ofFiles: readonly Command[] = [];
  #ofServers: readonly Command[] = [];
  #found: { typed: string; roots: string; files: readonly string[] } = { typed: "", roots: "", files: [] };

  constructor({ modes, usualModel, ...parts }: WorkspaceInfoOptions) {
    this.modes = modes;
    this.usualModel = usualModel;
    this.#parts = parts;
  }

  /** Slash commands from files and servers. The daemon expands them. */
  commands(): readonly Command[] {
    return [...this.#ofFiles, ...this.#ofServers];
  }

  /** Reloads modes and models, because trust or the config may have changed. */
  async learn(): Promise<void> {
    const { link, workspace: cwd } = this.#parts;
    const learned = [
      link.api.daemon.modes.query({ cwd }),
      link.api.daemon.model.query({}),
      this.learnCommands(),
      this.learnEnvironment(),
    ] as const;
    const [modes, usual] = await Promise.all(learned);
    this.modes = modes.filter(userSelectable);
    this.usualModel = usual.id ?? undefined;
  }

  /** Loads the slash commands from files. */
  async learnCommands(): Promise<void> {
    const { link, workspace: cwd } = this.#parts;
    this.#ofFiles = (await link.api.workspace.commands.query({ cwd })).map(suggested);
  }

  /** Loads which environment commands get. It may read it, which takes up to some seconds. */
  async learnEnvironment(): Promise<void> {
    const { link, workspace: cwd } = this.#parts;
    const { tools } = await link.api.workspace.environment.query({ cwd });
    this.environment = tools.flatMap(({ tool, status }) => (status === "used" ? tool : []));
  }

  /** The files that `findFiles` found for this text in these folders. Undefined if it was asked for others since. */
  foundFiles(typed: string, roots: readonly string[]): readonly string[] | undefined {
    return this.#found.typed === typed && this.#found.roots === roots.join("\n") ? this.#found.files : undefined;
  }

  /** Finds files anywhere in the workspace and in the session's other folders whose path is like `typed`, best first. */
  async findFiles(typed: string, roots: readonly string[]): Promise<void> {
    const { link, workspace: cwd } = this.#parts;
    const files = await link.api.workspace.files.query({ cwd, query: typed.slice(0, 200), roots: [...roots] });
    this.#found = { typed, roots: roots.join("\n"), files };
  }

  /**
   * Loads the names that servers provide for `/` and `@`, once. It may start servers, so it runs only when the user types
   * one of these.
   */
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
  about: [/^$|^[<[(]/.test(argumentHint) ? argumentHint : `[${argumentHint}]`, description].join(" ").trim(),
});
