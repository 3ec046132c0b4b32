import type { CheckCommand } from "../../session/session-dependencies.ts";
import type { Config } from "../../config/config-schema.ts";

type Checks = Config["checks"];

/** The checks of the user and of a trusted project. A project only names commands. The same command of both is the user's. */
export function checkSettings(own: Checks, project: Checks): { commands: readonly CheckCommand[]; continuations: number } {
  const ofUser = commandsOf(own, "user");
  const ofProject = commandsOf(project, "project").filter(({ command }) => !ofUser.some((each) => each.command === command));
  return { commands: [...ofUser, ...ofProject], continuations: own?.continue ?? 2 };
}

const commandsOf = (checks: Checks, layer: CheckCommand["layer"]): CheckCommand[] =>
  (checks?.commands ?? []).map(({ command, files = "**/*", after = "turn", timeout }) => ({
    command,
    layer,
    files: [files].flat(),
    after,
    ...(timeout === undefined ? {} : { timeoutMs: Math.ceil(timeout * 1_000) }),
  }));
