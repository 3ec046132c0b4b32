import type { Tool } from "../tool/tool-types.ts";
import { mayStartServer, approvalQuestion, usableTools, type ServerApproval, type ServerQuestion } from "./server-approval.ts";
import { ServerConnection, type ConnectionOptions, type ConnectionStatus } from "./connection/connection.ts";
import { hashJson, launchText, settingsHash, type ServerDefinition, unsetVariablesText } from "./server-definition.ts";
import { toApprovedTools, type ApprovedTool } from "./tools/tool-changes.ts";
import type { ListedTool } from "./tools/listed-tool.ts";
import { findMentions, type ResourceMention } from "./tools/resource-mention.ts";
import { toolNames } from "./tools/tool-names.ts";
import { listPrompts, type ServerPrompt } from "./tools/server-prompts.ts";
import { toTool } from "./tools/mcp-tool.ts";

/** A server as a list shows it. */
export type ServerRow = {
  name: string;
  scope: ServerDefinition["scope"];
  source: string;
  launch: string;
  status: ConnectionStatus | "disabled" | "needs_approval" | "refused";
  problem?: string;
  era: string;
  version: string;
  tools: string[];
};

/** A tool that may be used: `name` is what rules and models know it by; `refId` is its alone and changes with all that is said of it. */
export type CatalogueTool = { name: string; refId: string; server: string; listed: ListedTool; tool: Tool };

/** What the servers of a workspace bring: their tools, and the servers that may be asked for more than tools. */
export type OfferedServerTools = { tools: readonly CatalogueTool[]; servers: readonly ServerConnection[] };

export type ServerManagerOptions = Omit<ConnectionOptions, "workspace" | "changed" | "othersChanged"> & {
  definitions: (workspace: string) => readonly ServerDefinition[];
  approval: (workspace: string, definition: ServerDefinition) => ServerApproval;
  /** Remembers tools of the person's own servers as they were first seen. */
  remember: (workspace: string, definition: ServerDefinition, tools: Readonly<Record<string, ApprovedTool>>) => void;
  /** The tools of a workspace are others than before. */
  changed: (workspace: string) => void;
  /** So are the resources or the prompts of one of its servers. */
  othersChanged: (workspace: string, what: "resources" | "prompts") => void;
};

/** How long the first step of a session waits for servers that nobody has asked before. */
const FIRST_WAIT_MS = 3_000;

/** All servers of all workspaces. Nothing is started before a workspace is warmed. */
export class ServerManager {
  readonly #options: ServerManagerOptions;
  readonly #workspaces = new Map<string, Map<string, ServerConnection>>();
  readonly #awaited = new WeakSet<ServerConnection>();
  readonly #offerings = new Map<string, OfferedServerTools>();

  constructor(options: ServerManagerOptions) {
    this.#options = options;
  }

  /** The tools that may be used now, in a stable order. Asks nobody. */
  catalogue(workspace: string): readonly CatalogueTool[] {
    return this.offering(workspace).tools;
  }

  /** The same with the servers; the same object as long as nothing changes. */
  offering(workspace: string): OfferedServerTools {
    const known = this.#offerings.get(workspace);
    if (known) return known;
    const isAsked = this.#workspaces.has(workspace);
    const made = isAsked ? { tools: this.#makeCatalogue(workspace), servers: this.#startable(workspace) } : NOTHING;
    this.#offerings.set(workspace, made);
    return made;
  }

  /** What a person can name of the servers in a prompt: their prompts as slash commands, their resources behind an `@`. */
  async named(workspace: string): Promise<{ prompts: ServerPrompt[]; resources: ResourceMention[] }> {
    const { servers } = this.offering(workspace);
    const [prompts, resources] = await Promise.all([listPrompts(servers), findMentions(servers)]);
    return { prompts, resources };
  }

  /** Starts what may start, and waits a little, once, for servers whose tools nobody knows yet. */
  async warm(workspace: string, signal: AbortSignal): Promise<void> {
    const connections = this.#startable(workspace);
    if (connections.length === 0) return;
    const enough = AbortSignal.any([signal, AbortSignal.timeout(FIRST_WAIT_MS)]);
    const waited = new Promise<void>((done) => enough.addEventListener("abort", () => done(), { once: true }));
    const starting = connections.map((connection) => {
      const started = connection.start().then(
        () => undefined,
        () => undefined, // it has kept why, and says it in the list
      );
      if (connection.listed || this.#awaited.has(connection)) return Promise.resolve();
      this.#awaited.add(connection);
      return started;
    });
    await Promise.race([Promise.all(starting), waited]);
  }

  /** Connects to one server now, whatever befell it before. Throws where that does not work. */
  async connect(workspace: string, name: string): Promise<ServerConnection> {
    const connection = this.#startableOf(workspace, name);
    connection.again();
    await connection.start();
    return connection;
  }

  /** What is configured of a server that may be reached. Throws where there is none, or none that is approved. */
  reachable(workspace: string, name: string): ServerDefinition {
    return this.#startableOf(workspace, name).definition;
  }

  #startableOf(workspace: string, name: string): ServerConnection {
    const connection = this.#connections(workspace).get(name);
    if (!connection) throw new Error(`There is no MCP server ${name} here. \`baton mcp list\` lists them.`);
    const { definition } = connection;
    if (!mayStartServer(definition, this.#options.approval(workspace, definition)))
      throw new Error(
        `${name} comes with the ${definition.scope} and is not approved. \`baton mcp approve ${name}\` shows it and lets it start.`,
      );
    return connection;
  }

  /** What is configured of a server, whether or not it is there. */
  definition(workspace: string, name: string): ServerDefinition | undefined {
    return this.#connections(workspace).get(name)?.definition;
  }

  /** Whether one of them is being started. */
  starting(workspace: string): boolean {
    return [...this.#connections(workspace).values()].some(({ standing }) => standing.standing === "starting");
  }

  /** The servers of a workspace that are not switched off. */
  names(workspace: string): string[] {
    return [...this.#connections(workspace).values()].flatMap(({ definition }) => (definition.disabled ? [] : [definition.name]));
  }

  /** Servers of this name are tried again at once when they are next wanted. */
  again(name: string): void {
    for (const connections of this.#workspaces.values()) connections.get(name)?.again();
  }

  /** What a person has to be asked before all servers of a workspace can be used; nothing that they have refused. */
  questions(workspace: string): ServerQuestion[] {
    return this.unapproved(workspace).filter(({ server, hash }) => {
      const definition = this.definition(workspace, server);
      return definition && !this.#options.approval(workspace, definition).refused.includes(hash);
    });
  }

  /** What is not approved, be it refused or never asked: a person may approve it still. */
  unapproved(workspace: string): ServerQuestion[] {
    return [...this.#connections(workspace).values()].flatMap((connection) => {
      const question = connection.definition.disabled ? undefined : this.#question(workspace, connection, connection.listed);
      return question ? [question] : [];
    });
  }

  /** What an approval of the question with this hash would write down; undefined when it is not asked any more. */
  approved(
    workspace: string,
    name: string,
    hash: string,
  ): { definition: ServerDefinition; tools: Readonly<Record<string, ApprovedTool>> } | undefined {
    const connection = this.#connections(workspace).get(name);
    if (!connection) return undefined;
    const { definition, listed = [] } = connection;
    const question = this.#question(workspace, connection, connection.listed);
    if (question?.hash !== hash) return undefined;
    return { definition, tools: question.what === "tools" ? toApprovedTools(listed) : {} };
  }

  /** What has been approved or configured is another than before; what is not configured any more is closed. */
  refresh(workspace?: string): void {
    for (const known of workspace === undefined ? [...this.#workspaces.keys()] : [workspace]) {
      if (this.#workspaces.has(known)) this.#connections(known);
      this.#changed(known);
    }
  }

  rows(workspace: string): ServerRow[] {
    return [...this.#connections(workspace).values()].map((connection) => this.#rowOf(workspace, connection));
  }

  log(workspace: string, name: string): readonly string[] | undefined {
    return this.#connections(workspace).get(name)?.log;
  }

  async close(): Promise<void> {
    const all = [...this.#workspaces.values()].flatMap((connections) => [...connections.values()]);
    this.#workspaces.clear();
    await Promise.all(all.map((connection) => connection.close()));
  }

  #startable(workspace: string): ServerConnection[] {
    return [...this.#connections(workspace).values()].filter(
      ({ definition }) => !definition.disabled && mayStartServer(definition, this.#options.approval(workspace, definition)),
    );
  }

  /** The connections of a workspace as it is configured now; what is configured otherwise is closed. */
  #connections(workspace: string): Map<string, ServerConnection> {
    const definitions = this.#options.definitions(workspace);
    const before = this.#workspaces.get(workspace);
    if (!before && definitions.length === 0) return NONE;
    const connections = before ?? new Map<string, ServerConnection>();
    this.#workspaces.set(workspace, connections);
    const wanted = new Map(definitions.map((definition) => [definition.name, definition]));
    for (const [name, connection] of connections) {
      const definition = wanted.get(name);
      if (definition && settingsHash(definition) === connection.settings && definition.disabled === connection.definition.disabled)
        continue;
      connections.delete(name);
      this.#offerings.delete(workspace);
      connection.close().catch(() => undefined); // nobody waits for it any more
    }
    for (const definition of definitions.filter(({ name }) => !connections.has(name))) {
      connections.set(definition.name, this.#open(workspace, definition));
      this.#offerings.delete(workspace);
    }
    return connections;
  }

  #open(workspace: string, definition: ServerDefinition): ServerConnection {
    const connection: ServerConnection = new ServerConnection(definition, {
      ...this.#options,
      workspace,
      changed: () => {
        this.#rememberFirst(workspace, connection);
        this.#changed(workspace);
      },
      othersChanged: (what) => this.#options.othersChanged(workspace, what),
    });
    return connection;
  }

  #rememberFirst(workspace: string, { definition, listed = [] }: ServerConnection): void {
    if (definition.scope !== "user") return;
    const { tools } = this.#options.approval(workspace, definition);
    const fresh = listed.filter(({ tool }) => !Object.hasOwn(tools, tool));
    if (fresh.length > 0) this.#options.remember(workspace, definition, toApprovedTools(fresh));
  }

  #changed(workspace: string): void {
    this.#offerings.delete(workspace);
    this.#options.changed(workspace);
  }

  #makeCatalogue(workspace: string): CatalogueTool[] {
    const found = [...this.#connections(workspace).values()].flatMap((connection) => {
      const { definition, listed = [] } = connection;
      if (definition.disabled) return [];
      return usableTools(definition, this.#options.approval(workspace, definition), listed).map((each) => ({ connection, listed: each }));
    });
    const names = toolNames(found.map(({ connection, listed }) => ({ server: connection.definition.name, tool: listed.tool })));
    return found
      .map(({ connection, listed }, i): CatalogueTool => {
        const name = names[i] ?? "";
        const server = connection.definition.name;
        return { name, refId: hashJson([server, listed.hash]), server, listed, tool: toTool(name, listed, connection) };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #question(workspace: string, { definition }: ServerConnection, listed: readonly ListedTool[] | undefined): ServerQuestion | undefined {
    const { approval, authOf } = this.#options;
    return approvalQuestion(definition, approval(workspace, definition), listed, authOf(workspace, definition) !== undefined);
  }

  #rowOf(workspace: string, connection: ServerConnection): ServerRow {
    const { definition, standing, listed = [] } = connection;
    const { name, scope, source, written, disabled } = definition;
    const { standing: status, problem, era, version } = standing;
    const approval = this.#options.approval(workspace, definition);
    const question = this.#question(workspace, connection, listed);
    const isRefused = question !== undefined && approval.refused.includes(question.hash);
    return {
      name,
      scope,
      source,
      launch: launchText(written),
      status: disabled ? "disabled" : isRefused ? (question.what === "launch" ? "refused" : status) : question ? "needs_approval" : status,
      ...problemOf(problem ?? (question && !isRefused ? question.header : unsetVariablesText(definition))),
      era,
      version,
      tools: listed.map(({ tool }) => tool),
    };
  }
}

const problemOf = (problem: string | undefined): { problem?: string } => (problem === undefined ? {} : { problem });

const NONE: Map<string, ServerConnection> = new Map();
const NOTHING: OfferedServerTools = { tools: [], servers: [] };
