import { lazy } from "@trpc/server";
import { router } from "./trpc.ts";

/** One file of procedures per noun, those that a client calls first in front. */
const nouns = {
  daemon: () => import("./daemon.ts"),
  session: () => import("./session.ts"),
  request: () => import("./request.ts"),
  mode: () => import("./mode.ts"),
  permission: () => import("./permission.ts"),
  mcp: () => import("./mcp.ts"),
  toolset: () => import("./toolset.ts"),
  workspace: () => import("./workspace.ts"),
  blob: () => import("./blob.ts"),
  buffer: () => import("./buffer.ts"),
  auth: () => import("./auth.ts"),
  usage: () => import("./usage.ts"),
};

/** Everything a client can call. A noun is read when it is first called, since to build the schemas of all holds up the start. */
export const appRouter = router({
  daemon: lazy(nouns.daemon),
  session: lazy(nouns.session),
  request: lazy(nouns.request),
  mode: lazy(nouns.mode),
  permission: lazy(nouns.permission),
  mcp: lazy(nouns.mcp),
  toolset: lazy(nouns.toolset),
  workspace: lazy(nouns.workspace),
  blob: lazy(nouns.blob),
  buffer: lazy(nouns.buffer),
  auth: lazy(nouns.auth),
  usage: lazy(nouns.usage),
});
export type AppRouter = typeof appRouter;

/** Reads what nobody has called yet, so that no first call has to wait for it. */
export async function warmRouter(): Promise<void> {
  for (const read of Object.values(nouns)) await read();
}
