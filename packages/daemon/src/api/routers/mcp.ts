import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer, ServerName } from "@baton/core/protocol/config/mcp";
import { ListingPolicy, ToolsetName } from "@baton/core/protocol/toolset/toolset-profile";
import * as z from "zod";
import type { ServerManager } from "../../mcp/server-manager.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, throwRefusal, router, throwIfRefused } from "../trpc.ts";

const InFolder = z.object({ cwd: z.string() });
/** `server`: the lent server if the policy is `proxy`. */
const OfProfile = InFolder.extend({ profile: ToolsetName, policy: ListingPolicy, server: z.string().optional() });
const Kept = z.object({ env: z.array(z.string()), headers: z.array(z.string()) });
const OfServer = InFolder.extend({ name: z.string() });

/** MCP servers: their list, their status, and changes by the user. */
export const mcp = router({
  /** The servers of a folder with their status and problems. */
  list: authedProcedure.input(InFolder).query(async ({ ctx, input: { cwd } }) => ctx.mcp.servers.rows(await ctx.loadWorkspace(cwd))),

  /**
   * The names that a prompt may use: prompts of servers as slash commands, and resources after `@`. Starts servers that may
   * start.
   */
  named: authedProcedure.input(InFolder).query(async ({ ctx, input: { cwd } }) => {
    const workspace = await ctx.loadWorkspace(cwd);
    await ctx.mcp.servers.warm(workspace, AbortSignal.timeout(WARM_MS));
    // the user can type before it is loaded, so it may take as long as slow servers need
    for (let waited = 0; ctx.mcp.servers.starting(workspace) && waited < NAMED_MS; waited += LOOK_MS) await sleep(LOOK_MS);
    return ctx.mcp.servers.named(workspace);
  }),

  /** Connects now and returns the result. */
  test: commandProcedure.input(OfServer).mutation(async ({ ctx, input: { cwd, name } }) => {
    const workspace = await ctx.loadWorkspace(cwd);
    const problem = await ctx.mcp.servers.connect(workspace, name).then(() => null, errorText);
    const row = ctx.mcp.servers.rows(workspace).find((each) => each.name === name);
    return row ? { ...row, problem: problem ?? row.problem ?? null } : unknown(name);
  }),

  /** Starts a login. Returns the address that the user must open, or null if no login is needed. */
  login: commandProcedure.input(OfServer).mutation(async ({ ctx, input: { cwd, name } }) => {
    const workspace = await ctx.loadWorkspace(cwd);
    if (!ctx.mcp.servers.definition(workspace, name)) return unknown(name);
    const begin = async () => ctx.mcp.logins.begin(workspace, ctx.mcp.servers.reachable(workspace, name));
    const begun = await begin().catch((error: unknown) => throwRefusal("mcp_login_impossible", errorText(error)));
    return { url: begun?.href ?? null };
  }),

  /** The stderr output and connection events of a server, oldest first. */
  logs: authedProcedure
    .input(OfServer)
    .query(async ({ ctx, input: { cwd, name } }) => ctx.mcp.servers.log(await ctx.loadWorkspace(cwd), name) ?? unknown(name)),

  /** The open approvals for servers of a folder. With `refused`, also those that the user refused. */
  questions: authedProcedure
    .input(InFolder.extend({ refused: z.boolean().default(false) }))
    .query(async ({ ctx, input: { cwd, refused: too } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      return too ? ctx.mcp.servers.unapproved(workspace) : ctx.mcp.servers.questions(workspace);
    }),

  /** Approves or refuses exactly what was shown under this hash. */
  approve: commandProcedure.input(OfServer.extend({ hash: z.string(), approved: z.boolean() })).mutation(
    idempotent(async ({ ctx, input: { cwd, name: server, hash, approved } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      await ctx.services.servers.settle(workspace, { server, hash, approved, by: ctx.actor });
      ctx.sessions.rejudge(workspace);
      return { approved };
    }),
  ),

  /** The servers of the user's config, for editing: variables and headers have names but no values. */
  own: authedProcedure.query(({ ctx }) =>
    Object.entries(ctx.config.now().config.mcpServers ?? {}).map(([name, { env = {}, headers = {}, ...server }]) => ({
      ...server,
      name,
      env: Object.keys(env),
      headers: Object.keys(headers),
    })),
  ),

  /** Adds a server to the user's config. With `keep`, variables and headers with these names keep their present values. */
  add: commandProcedure
    .input(z.object({ name: ServerName, server: McpServer, replace: z.boolean().default(false), keep: Kept.optional() }))
    .mutation(
      idempotent(async ({ ctx, input: { name, server, replace, keep } }) => {
        const before = ctx.config.now().config.mcpServers?.[name];
        if (!replace && before)
          return throwRefusal(
            "mcp_server_exists",
            `Your config already has an MCP server ${name}. Remove it first, or choose another name.`,
          );
        const env = { ...keptValues(before?.env, keep?.env), ...server.env };
        const headers = { ...keptValues(before?.headers, keep?.headers), ...server.headers };
        const whole = {
          ...server,
          ...(Object.keys(env).length > 0 ? { env } : {}),
          ...(Object.keys(headers).length > 0 ? { headers } : {}),
        };
        throwIfRefused(await ctx.config.changeServers({ [name]: whole }));
        return { name };
      }),
    ),

  /**
   * Provides servers for the sessions of a folder while the client follows this subscription. The user is asked before one
   * starts.
   */
  lend: authedProcedure.input(InFolder.extend({ servers: z.record(ServerName, McpServer) })).subscription(async function* ({
    ctx,
    input: { cwd, servers },
    signal = new AbortController().signal,
  }) {
    const takeAway = ctx.mcp.clientServers.lend(
      await ctx.loadWorkspace(cwd),
      "person" in ctx.actor ? ctx.actor.person : "unknown",
      servers,
    );
    try {
      yield { lent: Object.keys(servers) };
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      takeAway();
    }
  }),

  /** Removes a server from the user's config. */
  remove: commandProcedure.input(z.object({ name: z.string() })).mutation(
    idempotent(async ({ ctx, input: { name } }) => {
      if (!Object.hasOwn(ctx.config.now().config.mcpServers ?? {}, name))
        return throwRefusal(
          "mcp_server_not_found",
          `Your config has no MCP server ${name}. To remove a project's server, edit the project's file.`,
        );
      throwIfRefused(await ctx.config.changeServers({ [name]: undefined }));
      return { name };
    }),
  ),

  /** Sets how tools are listed for the agents of a profile. An existing token stays valid. */
  prepareProfile: commandProcedure.input(OfProfile).mutation(
    idempotent(async ({ ctx, input: { cwd, profile, ...listing } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      await ctx.mcp.endpoint.prepare(profile, { ...lendable(listing, workspace, ctx.mcp.servers), workspace }, ctx.actor);
      return { profile };
    }),
  ),

  /**
   * Gives an agent access over HTTP: the address of a profile, and the token to show. `voided`: an earlier token is no longer
   * valid.
   */
  openEndpoint: commandProcedure
    .input(OfProfile.extend({ move: z.boolean().default(false) }))
    .mutation(async ({ ctx, input: { cwd, profile, move, ...listing } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      const wanted = { ...lendable(listing, workspace, ctx.mcp.servers), workspace, move };
      const opened = throwIfRefused(await ctx.mcp.endpoint.open(profile, wanted, ctx.actor));
      return { url: `http://127.0.0.1:${ctx.daemon.status().port}/mcp/${profile}`, ...opened };
    }),

  /** Reads the servers of another program's file. With `write`, adds those that the user's config does not have yet. */
  import: commandProcedure.input(z.object({ text: z.string().max(1_000_000), write: z.boolean() })).mutation(
    idempotent(async ({ ctx, input: { text, write } }) => {
      const { servers, notes } = await ctx.mcp.parseServers(text);
      const own = ctx.config.now().config.mcpServers ?? {};
      const fresh = Object.fromEntries(Object.entries(servers).filter(([name]) => !Object.hasOwn(own, name)));
      const existing = Object.keys(servers).filter((name) => Object.hasOwn(own, name));
      if (write) throwIfRefused(await ctx.config.changeServers(fresh));
      return {
        servers: fresh,
        notes: [...notes.map((note) => note.text), ...existing.map((name) => `${name} is already in your config and stays unchanged.`)],
        written: write,
      };
    }),
  ),
});

const keptValues = (values: Readonly<Record<string, string>> = {}, names: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

type Lendable = Pick<z.output<typeof OfProfile>, "policy" | "server">;

/** A proxy lends one server, which must exist. Every other policy lends the equipped tools. */
function lendable({ policy, server }: Lendable, workspace: string, servers: Pick<ServerManager, "definition" | "names">): Lendable {
  if (policy !== "proxy") {
    if (server !== undefined) return throwRefusal("mcp_listing_invalid", `The policy ${policy} lends toolsets. Only proxy takes a server.`);
    return { policy };
  }
  const names = servers.names(workspace).join(", ") || "none";
  if (server === undefined) return throwRefusal("mcp_listing_invalid", `The policy proxy lends one server. Name one of: ${names}.`);
  if (!servers.definition(workspace, server)) return unknown(server);
  return { policy, server };
}

const WARM_MS = 5_000;
const NAMED_MS = 30_000;
const LOOK_MS = 250;

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const unknown = (name: string): never =>
  throwRefusal("mcp_server_not_found", `There is no MCP server ${name} here. \`baton mcp list\` lists them.`);
