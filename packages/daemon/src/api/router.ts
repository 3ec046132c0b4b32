import { lazy, type AnyRouter } from "@trpc/server";
import { router } from "./trpc.ts";

/**
 * The procedures, with one file per noun. They are loaded after the start, or when the first of a noun is called, because building
 * all schemas takes longer than opening the store.
 */
const routers = {
  session: lazy(async () => (await import("./routers/session.ts")).session),
  command: lazy(async () => (await import("./routers/command.ts")).command),
  request: lazy(async () => (await import("./routers/request.ts")).request),
  mode: lazy(async () => (await import("./routers/mode.ts")).mode),
  catalog: lazy(async () => (await import("./routers/catalog.ts")).catalog),
  permission: lazy(async () => (await import("./routers/permission.ts")).permission),
  hook: lazy(async () => (await import("./routers/hook.ts")).hook),
  tool: lazy(async () => (await import("./routers/tool.ts")).tool),
  plugin: lazy(async () => (await import("./routers/plugin.ts")).plugin),
  mcp: lazy(async () => (await import("./routers/mcp.ts")).mcp),
  toolset: lazy(async () => (await import("./routers/toolset.ts")).toolset),
  workspace: lazy(async () => (await import("./routers/workspace.ts")).workspace),
  place: lazy(async () => (await import("./routers/place.ts")).place),
  blob: lazy(async () => (await import("./routers/blob.ts")).blob),
  buffer: lazy(async () => (await import("./routers/unsaved-buffers.ts")).buffer),
  diagnostics: lazy(async () => (await import("./routers/diagnostics.ts")).diagnostics),
  config: lazy(async () => (await import("./routers/config.ts")).config),
  auth: lazy(async () => (await import("./routers/auth.ts")).auth),
  usage: lazy(async () => (await import("./routers/usage.ts")).usage),
  daemon: lazy(async () => (await import("./routers/daemon.ts")).daemon),
};

/** All procedures. */
export const appRouter = router(routers);
export type AppRouter = typeof appRouter;

/** Loads all of them, so that no first call waits for it. */
export async function loadRouters(): Promise<{ [noun: string]: AnyRouter }> {
  return Object.fromEntries(await Promise.all(Object.entries(routers).map(async ([noun, load]) => [noun, await load()] as const)));
}
