import path from "node:path";
import { openEnvironments, type Environments } from "../../dev-environment/environments.ts";
import type { RunEnvironmentProgram } from "../../dev-environment/run-environment-program.ts";
import { findProgram } from "../../language/find-program.ts";
import { commandEnv } from "../../system/commands/child-env.ts";
import { runWithInput } from "../../system/commands/run-with-input.ts";
import { openResourceWatch } from "../../system/commands/command-limit-watch.ts";
import { artifactFolders } from "../../system/sandbox/artifact-folders.ts";
import { currentPlatform } from "../../system/platform/platform.ts";
import { commandLimits } from "../foundation/command-limits.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";

const TIME_LIMIT_MS = 10_000;

/** Opens the environments of folders. Those of a place are chosen in its source. */
export function openEnvironmentsOf(foundation: Foundation): Environments {
  const { paths, env, home, bootId, config, places, workspaces, late, report } = foundation;
  const settings = env["XDG_CONFIG_HOME"] ?? path.join(home, ".config");
  const watch = openResourceWatch(() => commandLimits(config.now().config));
  const own = () => commandEnv(env, config.now().config.passEnv ?? []);

  /** The tools run in the sandbox where it works, without a network. They may write folders of build results, such as a new venv. */
  const runIn = (folder: string): RunEnvironmentProgram => {
    const run = async ({ file, args, env: more, visible }: Parameters<RunEnvironmentProgram>[0]) => {
      await foundation.sandbox.tried();
      const sandbox = foundation.sandbox.forTools();
      const program = { file, args };
      const seen = {
        cwd: folder,
        edits: "artifacts" as const,
        changes: artifactFolders(folder),
        visible: [...visible, file],
        keepsNetwork: false,
      };
      return runWithInput(
        {
          ...(sandbox?.wrap(program, seen) ?? program),
          cwd: folder,
          env: { ...own(), ...more },
          timeoutMs: TIME_LIMIT_MS,
          tag: `${bootId}.environment/${path.basename(file)}`,
          watch,
          endsAll: true,
        },
        "",
        new AbortController().signal,
      );
    };
    return Object.assign(run, { path: own()["PATH"] ?? "" });
  };

  return openEnvironments({
    identity: places.identity,
    isTrusted: (folder) => isTrusted(foundation, folder),
    setting: (folder) => {
      const { environments = {} } = config.now().config;
      return Object.hasOwn(environments, folder) ? environments[folder] : undefined;
    },
    save: async (folder, setting) => {
      const saved = await config.setEnvironment(folder, typeof setting === "object" ? [...setting] : setting);
      if ("refused" in saved) report(`The environment of ${folder} could not be stored`, saved.refused);
    },
    approval: (folder, hash) => workspaces.isToolApproved(folder, hash),
    approve: async (folder, hashes, approved, by) => {
      await workspaces.approveTools(folder, hashes, approved, by);
      late.sessions?.rejudge(folder);
    },
    find: (program) => findProgram(program, "/", env)?.file,
    runIn,
    folders: {
      home,
      nvm: env["NVM_DIR"] ?? path.join(home, ".nvm"),
      direnv: env["DIRENV_CONFIG"] ?? path.join(settings, "direnv"),
      mise: path.join(settings, "mise"),
    },
    works: currentPlatform() !== "windows",
    scratch: path.join(paths.state, "environments"),
    changed: (folder) => late.sessions?.rejudge(folder),
  });
}
