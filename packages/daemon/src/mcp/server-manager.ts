import type { ApprovedTool } from "@baton/core/protocol/event";
import type { Tool } from "../tool/tool-types.ts";
import { mayStartServer, approvalQuestion, usableTools, type ServerApproval, type ServerQuestion } from "./server-approval.ts";
import { ServerConnection, type ConnectionOptions, type ConnectionStatus } from "./connection/server-connection.ts";
import { hashJson, launchText, settingsHash, type McpServerDefinition, unsetVariablesText } from "./server-definition.ts";
import { toApprovedTools } from "./tools/approved-tool-changes.ts";
import type { ListedTool } from "./tools/listed-tool.ts";
import { findMentions, type ResourceMention } from "./tools/resource-mention.ts";
import { toolNames } from "./tools/tool-names.ts";
import { listPrompts, type ServerPrompt } from "./tools/server-prompts.ts";
import { toMcpTool } from "./tools/mcp-tool.ts";

/** A server in lists. */
export type ServerRow = {
  name: string;
  scope: McpServerDefinition["scope"];
  source: string;
  launch: string;
  status: ConnectionStatus | "disabled" | "needs_approval" | "refused";
  problem?: string;
  era: string;
  version: string;
  tools: string[];
};

/** A usable tool. `name`: its name for rules and models. `refId`: unique, and changes with everything that the server says about the tool. */
export type ServerTool = { name: string; refId: string; server: string; listed: ListedTool; tool: Tool };

/** The offer of a workspace's servers: their tools, and the servers that have more than tools. */
export type OfferedServerTools = { tools: readonly ServerTool[]; servers: readonly ServerConnection[] };

type ServerManagerOptions = Omit<ConnectionOptions, "workspace" | "changed" | "othersChanged"> & {
  definitions: (workspace: string) => readonly McpServerDefinition[];
  /** The folder whose servers a folder shares: the source checkout for a place, otherwise the folder itself. */
  identity?: (workspace: string) => string;
  approval: (workspace: string, definition: McpServerDefinition) => ServerApproval;
  /** Stores the tools of the user's own servers as they were first seen. */
  remember: (workspace: string, definition: McpServerDefinition, tools: Readonly<Record<string, ApprovedTool>>) => void;
  /** The tools of a workspace have changed. */
  changed: (workspace: string) => void;
  /** The resources or prompts of a server have changed. */
  othersChanged: (workspace: string, what: "resources" | "prompts") => void;
};

/** How long the first step of a session waits for servers without a known list of tools. */
const FIRST_WAIT_MS = 3_000;

/** All servers of all workspaces. Servers only start after `warm` was called for their workspace. */
export class ServerManager {
  readonly #options: ServerManagerOptions;
  readonly #workspaces = new Map<string, Map<string, ServerConnection>>();
  readonly #awaited = new WeakSet<ServerConnection>();
  readonly #offerings = new Map<string, OfferedServerTools>();

  constructor(options: ServerManagerOptions) {
    this.#options = options;
  }

  /** The usable tools, in a stable order. Does not contact servers. */
  catalog(workspace: string): readonly ServerTool[] {
    return this.offering(workspace).tools;
  }

  /** The usable tools and the servers. The same object until something changes. */
  offering(workspace: string): OfferedServerTools {
    const known = this.#offerings.get(workspace);
    if (known) return known;
    const isAsked = this.#workspaces.has(workspace) || this.#workspaces.has(this.#identity(workspace));
    const made = isAsked ? { tools: this.#makeCatalog(workspace), servers: this.#startable(workspace) } : NOTHING;
    this.#offerings.set(workspace, made);
    return made;
  }

  /** The prompts (as slash commands) and the resources (behind an `@`) of the servers, for the user to mention. */
  async named(workspace: string): Promise<{ prompts: ServerPrompt[]; resources: ResourceMention[] }> {
    const { servers } = this.offering(workspace);
    const [prompts, resources] = await Promise.all([listPrompts(servers), findMentions(servers)]);
    return { prompts, resources };
  }

  /** Starts the approved servers, and waits briefly, once, for servers without a known list of tools. `isWanted`: leaves out the others. */
  async warm(workspace: string, signal: AbortSignal, isWanted: (definition: McpServerDefinition) => boolean = () => true): Promise<void> {
    const connections = this.#startable(workspace).filter(({ definition }) => isWanted(definition));
    if (connections.length === 0) return;
    const enough = AbortSignal.any([signal, AbortSignal.timeout(FIRST_WAIT_MS)]);
    const waited = new Promise<void>((done) => enough.addEventListener("abort", () => done(), { once: true }));
    const starting = connections.map((connection) => {
      const started = connection.start().then(
        () => undefined,
        () => undefined, // the list shows the problem
      );
      if (connection.listed || this.#awaited.has(connection)) return Promise.resolve();
      this.#awaited.add(connection);
      return started;
    });
    await Promise.race([Promise.all(starting), waited]);
  }

  /** Connects to one server now, regardless of earlier failures. Throws if that fails. */
  async connect(workspace: string, name: string): Promise<ServerConnection> {
    const connection = this.#startableOf(workspace, name);
    connection.again();
    await connection.start();
    return connection;
  }

  /** The connection to a configured and approved server. Throws if there is none. */
  reachable(workspace: string, name: string): McpServerDefinition {
    return this.#startableOf(workspace, name).definition;
  }

  #startableOf(workspace: string, name: string): ServerConnection {
    const connection = this.#connections(workspace).get(name);
    if (!connection) throw new Error(`There is no MCP server ${name} here. \`baton mcp list\` lists them.`);
    const { definition } = connection;
    if (!mayStartServer(definition, this.#options.approval(workspace, definition)))
      throw new Error(
        `${name} comes from the ${definition.scope} and is not approved. \`baton mcp approve ${name}\` shows it and starts it.`,
      );
    return connection;
  }

  /** The configured servers, available or not. */
  definition(workspace: string, name: string): McpServerDefinition | undefined {
    return this.#connections(workspace).get(name)?.definition;
  }

  /** True if a server is starting. */
  starting(workspace: string): boolean {
    return [...this.#connections(workspace).values()].some(({ state }) => state.status === "starting");
  }

  /** The servers of a workspace that are not disabled. */
  names(workspace: string): string[] {
    return [...this.#connections(workspace).values()].flatMap(({ definition }) => (definition.disabled ? [] : [definition.name]));
  }

  /** Lets the next request start servers of this name at once. */
  again(name: string): void {
    for (const connections of this.#workspaces.values()) connections.get(name)?.again();
  }

  /** The questions that the user must answer before all servers of a workspace can be used, without refused ones. */
  questions(workspace: string): ServerQuestion[] {
    return this.unapproved(workspace).filter(({ server, hash }) => {
      const definition = this.definition(workspace, server);
      return definition && !this.#options.approval(workspace, definition).refused.includes(hash);
    });
  }

  /** Everything without approval, refused or not. The user may still approve it. */
  unapproved(workspace: string): ServerQuestion[] {
    return [...this.#connections(workspace).values()].flatMap((connection) => {
      const question = connection.definition.disabled ? undefined : this.#question(workspace, connection, connection.listed);
      return question ? [question] : [];
    });
  }

  /** The approval that answers the question with this hash. Undefined if the question no longer exists. */
  approved(
    workspace: string,
    name: string,
    hash: string,
  ): { definition: McpServerDefinition; tools: Readonly<Record<string, ApprovedTool>> } | undefined {
    const connection = this.#connections(workspace).get(name);
    if (!connection) return undefined;
    const { definition, listed = [] } = connection;
    const question = this.#question(workspace, connection, connection.listed);
    if (question?.hash !== hash) return undefined;
    return { definition, tools: question.what === "tools" ? toApprovedTools(listed) : {} };
  }

  /** Approvals or the configuration have changed. Closes connections to removed servers. */
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

  #identity(workspace: string): string {
    return this.#options.identity?.(workspace) ?? workspace;
  }

  /** The connections of a workspace. A place shares those of its source, except servers that need a folder of their own. */
  #connections(workspace: string): ReadonlyMap<string, ServerConnection> {
    const source = this.#identity(workspace);
    if (source === workspace) return this.#ownConnections(workspace, this.#options.definitions(workspace));
    const definitions = this.#options.definitions(workspace).filter(({ perPlace, scope }) => perPlace || scope === "client");
    const own = this.#ownConnections(workspace, definitions);
    const shared = [...this.#connections(source)].filter(([, { definition }]) => !definition.perPlace && definition.scope !== "client");
    return new Map([...shared, ...own]);
  }

  /** The connections with these definitions. Closes connections with other settings. */
  #ownConnections(workspace: string, definitions: readonly McpServerDefinition[]): ReadonlyMap<string, ServerConnection> {
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
      this.#forgetOfferings(workspace);
      connection.close().catch(() => undefined); // nothing waits for it
    }
    for (const definition of definitions.filter(({ name }) => !connections.has(name))) {
      connections.set(definition.name, this.#open(workspace, definition));
      this.#forgetOfferings(workspace);
    }
    return connections;
  }

  #open(workspace: string, definition: McpServerDefinition): ServerConnection {
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

  /** Also forgets those of places that share the servers of this workspace. */
  #forgetOfferings(workspace: string): void {
    for (const known of this.#offerings.keys())
      if (known === workspace || this.#identity(known) === workspace) this.#offerings.delete(known);
  }

  #changed(workspace: string): void {
    this.#forgetOfferings(workspace);
    this.#options.changed(workspace);
  }

  #makeCatalog(workspace: string): ServerTool[] {
    const found = [...this.#connections(workspace).values()].flatMap((connection) => {
      const { definition, listed = [] } = connection;
      if (definition.disabled) return [];
      return usableTools(definition, this.#options.approval(workspace, definition), listed).map((each) => ({ connection, listed: each }));
    });
    const names = toolNames(found.map(({ connection, listed }) => ({ server: connection.definition.name, tool: listed.tool })));
    return found
      .map(({ connection, listed }, i): ServerTool => {
        const name = names[i] ?? "";
        const server = connection.definition.name;
        return { name, refId: hashJson([server, listed.hash]), server, listed, tool: toMcpTool(name, listed, connection) };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #question(workspace: string, { definition }: ServerConnection, listed: readonly ListedTool[] | undefined): ServerQuestion | undefined {
    const { approval, authOf } = this.#options;
    return approvalQuestion(definition, approval(workspace, definition), listed, authOf(workspace, definition) !== undefined);
  }

  #rowOf(workspace: string, connection: ServerConnection): ServerRow {
    const { definition, state, listed = [] } = connection;
    const { name, scope, source, written, disabled } = definition;
    const { status, problem, era, version } = state;
    const approval = this.#options.approval(workspace, definition);
    const question = this.#question(workspace, connection, listed);
    const isRefused = question !== undefined && approval.refused.includes(question.hash);
    return {
      name,
      scope,
      source,
      launch: launchText(written),
      status: shownStatus(status, disabled, isRefused, question),
      ...problemOf(problem ?? (question && !isRefused ? question.header : unsetVariablesText(definition))),
      era,
      version,
      tools: listed.map(({ tool }) => tool),
    };
  }
}

function shownStatus(
  status: ConnectionStatus,
  disabled: boolean,
  isRefused: boolean,
  question: ServerQuestion | undefined,
): ServerRow["status"] {
  if (disabled) return "disabled";
  if (isRefused) return question?.what === "launch" ? "refused" : status;
  return question ? "needs_approval" : status;
}

const problemOf = (problem: string | undefined): { problem?: string } => (problem === undefined ? {} : { problem });

const NONE: Map<string, ServerConnection> = new Map();
const NOTHING: OfferedServerTools = { tools: [], servers: [] };
