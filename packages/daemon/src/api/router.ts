import { lazy } from "@trpc/server";
import { router } from "./trpc.ts";

/**
 * Loaded after the start, or when the first procedure is called, because building all schemas takes longer than opening the
 * store.
 */
const procedures = () => import("./lazy-routers.ts");

/** All procedures, with one file per noun. */
export const appRouter = router({
  session: lazy(async () => (await procedures()).session),
  command: lazy(async () => (await procedures()).command),
  request: lazy(async () => (await procedures()).request),
  mode: lazy(async () => (await procedures()).mode),
  catalog: lazy(async () => (await procedures()).catalog),
  permission: lazy(async () => (await procedures()).permission),
  hook: lazy(async () => (await procedures()).hook),
  tool: lazy(async () => (await procedures()).tool),
  plugin: lazy(async () => (await procedures()).plugin),
  mcp: lazy(async () => (await procedures()).mcp),
  toolset: lazy(async () => (await procedures()).toolset),
  workspace: lazy(async () => (await procedures()).workspace),
  place: lazy(async () => (await procedures()).place),
  blob: lazy(async () => (await procedures()).blob),
  buffer: lazy(async () => (await procedures()).buffer),
  diagnostics: lazy(async () => (await procedures()).diagnostics),
  config: lazy(async () => (await procedures()).config),
  auth: lazy(async () => (await procedures()).auth),
  usage: lazy(async () => (await procedures()).usage),
  daemon: lazy(async () => (await procedures()).daemon),
});
export type AppRouter = typeof appRouter;

/** Loads the procedures that nobody has called yet, so that no first call waits for it. */
export async function warmRouter(): Promise<void> {
  await procedures();
}
