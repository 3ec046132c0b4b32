import type { Verdict } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";
import type { SessionDependencies } from "../../session-dependencies.ts";

/** The programs of the project that a command would start by their names, because of the environment of its folder. */
export function programsOfProject(
  { accesses }: Verdict,
  { workspace }: Pick<SessionState, "workspace">,
  { environments }: Pick<SessionDependencies, "environments">,
): { name: string; file: string }[] {
  const { programs } = environments.now(workspace);
  if (programs.size === 0) return [];
  const commands = accesses.flatMap(({ action, resource }) => (action === "command" ? resource : []));
  return [...programs].flatMap(([name, file]) =>
    commands.some((command) => command === file || command.startsWith(`${file} `)) ? [{ name, file }] : [],
  );
}
