import type { ProgramCommand, Sandbox } from "../system/sandbox/sandbox.ts";
import type { NetworkEntry } from "../system/sandbox-network/sandbox-network.ts";
import type { HookLaunch } from "./hook-definition.ts";

/** The sandbox of a hook. `network`: undefined for the network of the machine, and a text for none. */
type HookSandbox = { box: Sandbox; network: NetworkEntry | string | undefined };

/** The program of a hook's command. `inside`: the sandbox in which it runs. `visible`: files outside of the workspace that it reads. */
export function hookProgram(
  { command, args }: Extract<HookLaunch, { type: "command" }>,
  shell: string,
  inside: HookSandbox | undefined,
  { cwd, visible }: { cwd: string; visible: readonly string[] },
): ProgramCommand {
  const program = args ? { file: command, args } : { file: shell, args: ["-c", command] };
  if (!inside) return program;
  const { box, network } = inside;
  if (network === undefined) return box.wrap(program, { cwd, visible });
  if (typeof network === "string") return box.wrap(program, { cwd, visible, keepsNetwork: false });
  return network.wrap(box.wrap(program, { cwd, visible: [...visible, ...network.visible], keepsNetwork: true }));
}
