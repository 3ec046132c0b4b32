import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer, ServerName } from "@baton/core/protocol/mcp";
import { ListingPolicy, ToolsetName } from "@baton/core/protocol/toolset";
import * as z from "zod";
import type { ServerManager } from "../../mcp/server-manager.ts";
import { idempotent } from "../idempotency.ts";
import { authedProcedure, commandProcedure, refused, router, settled } from "../trpc.ts";

const InFolder = z.object({ cwd: z.string() });
/** `server` is the one that is lent where the policy is `proxy`. */
const OfProfile = InFolder.extend({ profile: ToolsetName, policy: ListingPolicy, server: z.string().optional() });
const OfServer = InFolder.extend({ name: z.string() });

/** MCP servers: which there are, how they stand, and what a person changes of them. */
export const mcp = router({
  list: authedProcedure.input(InFolder).query(async ({ ctx, input: { cwd } }) => ctx.mcp.servers.rows(await ctx.loadWorkspace(cwd))),

  /** What a prompt may name of servers: their prompts as slash commands, resources behind an `@`. Starts those that may start. */
  named: authedProcedure.input(InFolder).query(async ({ ctx, input: { cwd } }) => {
    const workspace = await ctx.loadWorkspace(cwd);
    await ctx.mcp.servers.warm(workspace, AbortSignal.timeout(WARM_MS));
    // nobody waits for it before they type, so it may take as long as servers take on a busy machine
    for (let waited = 0; ctx.mcp.servers.starting(workspace) && waited < NAMED_MS; waited += LOOK_MS) await sleep(LOOK_MS);
    return ctx.mcp.servers.named(workspace);
  }),

  /** Connects now and says what came of it. */
  test: commandProcedure.input(OfServer).mutation(async ({ ctx, input: { cwd, name } }) => {
    const workspace = await ctx.loadWorkspace(cwd);
    const problem = await ctx.mcp.servers.connect(workspace, name).then(() => null, messageOf);
    const row = ctx.mcp.servers.rows(workspace).find((each) => each.name === name);
    return row ? { ...row, problem: problem ?? row.problem ?? null } : unknown(name);
  }),

  /** Begins a login: the address that the person has to open, or null where none is wanted. */
  login: commandProcedure.input(OfServer).mutation(async ({ ctx, input: { cwd, name } }) => {
    const workspace = await ctx.loadWorkspace(cwd);
    if (!ctx.mcp.servers.definition(workspace, name)) return unknown(name);
    const begin = async () => ctx.mcp.logins.begin(workspace, ctx.mcp.servers.reachable(workspace, name));
    const begun = await begin().catch((error: unknown) => refused("mcp_login_impossible", messageOf(error)));
    return { url: begun?.href ?? null };
  }),

  /** What a server printed and what befell it, oldest first. */
  logs: authedProcedure
    .input(OfServer)
    .query(async ({ ctx, input: { cwd, name } }) => ctx.mcp.servers.log(await ctx.loadWorkspace(cwd), name) ?? unknown(name)),

  /** What is to be approved of the servers of a folder; with `refused` also what a person has refused. */
  questions: authedProcedure
    .input(InFolder.extend({ refused: z.boolean().default(false) }))
    .query(async ({ ctx, input: { cwd, refused: too } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      return too ? ctx.mcp.servers.unapproved(workspace) : ctx.mcp.servers.questions(workspace);
    }),

  /** Approves, or refuses, exactly what was shown under this hash. */
  approve: commandProcedure.input(OfServer.extend({ hash: z.string(), approved: z.boolean() })).mutation(
    idempotent(async ({ ctx, input: { cwd, name: server, hash, approved } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      await ctx.services.servers.settle(workspace, { server, hash, approved, by: ctx.actor });
      ctx.sessions.rejudge(workspace);
      return { approved };
    }),
  ),

  /** Puts a server into the person's config. */
  add: commandProcedure.input(z.object({ name: ServerName, server: McpServer, replace: z.boolean().default(false) })).mutation(
    idempotent(async ({ ctx, input: { name, server, replace } }) => {
      if (!replace && Object.hasOwn(ctx.config.now().config.mcpServers ?? {}, name))
        return refused("mcp_server_exists", `Your config has an MCP server ${name} already. Remove it first, or take another name.`);
      settled(await ctx.config.changeServers({ [name]: server }));
      return { name };
    }),
  ),

  /** Brings servers along for the sessions of a folder, for as long as the client follows this. A person is asked before one starts. */
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

  remove: commandProcedure.input(z.object({ name: z.string() })).mutation(
    idempotent(async ({ ctx, input: { name } }) => {
      if (!Object.hasOwn(ctx.config.now().config.mcpServers ?? {}, name))
        return refused(
          "mcp_server_not_found",
          `Your config has no MCP server ${name}. One that a project brings is taken out of its own file.`,
        );
      settled(await ctx.config.changeServers({ [name]: undefined }));
      return { name };
    }),
  ),

  /** Says how tools are listed for the agents of a profile. A token that was given stays good. */
  prepareProfile: commandProcedure.input(OfProfile).mutation(
    idempotent(async ({ ctx, input: { cwd, profile, ...listing } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      await ctx.mcp.endpoint.prepare(profile, { ...lendable(listing, workspace, ctx.mcp.servers), workspace }, ctx.actor);
      return { profile };
    }),
  ),

  /** Lets an agent in over HTTP: the address of a profile and the token that it shows. `voided`: one from before is void now. */
  openEndpoint: commandProcedure
    .input(OfProfile.extend({ move: z.boolean().default(false) }))
    .mutation(async ({ ctx, input: { cwd, profile, move, ...listing } }) => {
      const workspace = await ctx.loadWorkspace(cwd);
      const wanted = { ...lendable(listing, workspace, ctx.mcp.servers), workspace, move };
      const opened = settled(await ctx.mcp.endpoint.open(profile, wanted, ctx.actor));
      return { url: `http://127.0.0.1:${ctx.daemon.status().port}/mcp/${profile}`, ...opened };
    }),

  /** Servers of another program's file; with `write` those that the person's config has not yet are put into it. */
  import: commandProcedure.input(z.object({ text: z.string().max(1_000_000), write: z.boolean() })).mutation(
    idempotent(async ({ ctx, input: { text, write } }) => {
      const { servers, notes } = await ctx.mcp.parseServers(text);
      const own = ctx.config.now().config.mcpServers ?? {};
      const fresh = Object.fromEntries(Object.entries(servers).filter(([name]) => !Object.hasOwn(own, name)));
      const kept = Object.keys(servers).filter((name) => Object.hasOwn(own, name));
      if (write) settled(await ctx.config.changeServers(fresh));
      return {
        servers: fresh,
        notes: [...notes.map((note) => note.text), ...kept.map((name) => `${name} is in your config already and stays as it is.`)],
        written: write,
      };
    }),
  ),
});

type Lendable = Pick<z.output<typeof OfProfile>, "policy" | "server">;

/** A proxy lends one server, which has to be there; any other policy lends what is equipped. */
function lendable({ policy, server }: Lendable, workspace: string, servers: Pick<ServerManager, "definition" | "names">): Lendable {
  if (policy !== "proxy") {
    if (server !== undefined) return refused("mcp_listing_invalid", `The policy ${policy} lends toolsets. Only proxy takes a server.`);
    return { policy };
  }
  const names = servers.names(workspace).join(", ") || "none";
  if (server === undefined) return refused("mcp_listing_invalid", `The policy proxy lends one server: name it. There are: ${names}.`);
  if (!servers.definition(workspace, server)) return unknown(server);
  return { policy, server };
}

const WARM_MS = 5_000;
const NAMED_MS = 30_000;
const LOOK_MS = 250;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const unknown = (name: string): never =>
  refused("mcp_server_not_found", `There is no MCP server ${name} here. \`baton mcp list\` lists them.`);
