import path from "node:path";
import type { HookFile } from "../../hook/hook-definition.ts";
import { openHooks, type Hooks } from "../../hook/hooks.ts";
import { ALL_WORKSPACES } from "../../session/workspace/workspace-decisions.ts";
import { commandEnv } from "../../system/commands/child-env.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";

/** Opens the hooks of the managed config, the user's config, trusted projects and plugins. */
export function openHooksOf(
  foundation: Foundation,
  ofPlugins: (workspace: string, modes?: readonly string[]) => readonly HookFile[],
): Hooks {
  const { paths, env, home, bootId, config, managed, places, workspaces, late } = foundation;
  return openHooks({
    folders: { managed: paths.managedFile, user: paths.configFile, home },
    identity: places.identity,
    isTrusted: (workspace) => isTrusted(foundation, workspace),
    from: () => config.now().config.hooks?.from ?? [],
    managedOnly: () => managed.now().config.hooks?.managedOnly ?? false,
    extra: ofPlugins,
    approval: (workspace, hash) => {
      const approved = workspaces.isHookApproved(workspace, hash);
      if (approved === undefined) return "undecided";
      return approved ? "approved" : "refused";
    },
    approve: async (workspace, hashes, approved, by) => {
      await workspaces.approveHooks(workspace, hashes, approved, by);
      late.sessions?.rejudge(workspace === ALL_WORKSPACES ? undefined : workspace);
    },
    env: () => commandEnv(env, config.now().config.passEnv ?? []),
    daemonEnv: env,
    shell: "bash",
    sandbox: foundation.sandbox.forServers,
    network: async (workspace, sessionId) => {
      if (!foundation.networks.isUsed(workspace, false)) return undefined;
      return sessionId === undefined ? "it runs in no session" : foundation.networks.enter(sessionId);
    },
    transcripts: path.join(paths.state, "transcripts"),
    bootId,
  });
}
