import { auth } from "./auth.ts";
import { blob } from "./blob.ts";
import { buffer } from "./buffer.ts";
import { daemon } from "./daemon.ts";
import { mcp } from "./mcp.ts";
import { mode } from "./mode.ts";
import { permission } from "./permission.ts";
import { request } from "./request.ts";
import { session } from "./session.ts";
import { router } from "./trpc.ts";
import { toolset } from "./toolset.ts";
import { usage } from "./usage.ts";
import { workspace } from "./workspace.ts";

/** Everything a client can call, one file of procedures per noun. */
export const appRouter = router({ session, request, mode, permission, mcp, toolset, workspace, blob, buffer, auth, usage, daemon });
export type AppRouter = typeof appRouter;
