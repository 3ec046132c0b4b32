import path from "node:path";
import { openScriptTools, type ScriptTools } from "../../script-tool/script-tools.ts";
import { findProgram } from "../../language/find-program.ts";
import { ALL_WORKSPACES } from "../../session/workspace/workspace-decisions.ts";
import { commandEnv } from "../../system/commands/child-env.ts";
import { openResourceWatch } from "../../system/commands/command-limit-watch.ts";
import { commandLimits } from "../foundation/command-limits.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";

/** Opens the tools in the user's config folder and in trusted projects. Those of a place are those of its source. */
export function openScriptToolsOf(foundation: Foundation): ScriptTools {
  const { paths, env, bootId, config, places, workspaces, late } = foundation;
  return openScriptTools({
    folders: (workspace) => [
      { folder: path.join(paths.config, "tools"), label: "tools", layer: "user" },
      ...(isTrusted(foundation, workspace)
        ? [{ folder: path.join(places.identity(workspace), ".baton", "tools"), label: ".baton/tools", layer: "project" as const }]
        : []),
    ],
    find: (program) => findProgram(program, "/", env)?.file,
    approval: (workspace, hash) => {
      const approved = workspaces.isToolApproved(workspace, hash);
      if (approved === undefined) return "undecided";
      return approved ? "approved" : "refused";
    },
    approve: async (workspace, hashes, approved, by) => {
      await workspaces.approveTools(workspace, hashes, approved, by);
      late.sessions?.rejudge(workspace === ALL_WORKSPACES ? undefined : workspace);
    },
    env: () => commandEnv(env, config.now().config.passEnv ?? []),
    sandbox: async () => {
      await foundation.sandbox.tried(); // a tool that is called right after the start must not run without it
      return foundation.sandbox.forTools();
    },
    network: foundation.networks.ofTool,
    watch: openResourceWatch(() => commandLimits(config.now().config)),
    bootId,
  });
}
