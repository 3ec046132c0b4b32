import path from "node:path";
import { homedir } from "node:os";
import type { BatonPaths } from "../../client/paths.ts";
import type { Config } from "../../config/config-schema.ts";
import { bubblewrap } from "../../system/sandbox/bubblewrap.ts";
import { certificateFiles } from "../../system/sandbox/visible-folders.ts";
import { probeSandbox, type SandboxState } from "../../system/sandbox/probe-sandbox.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { ShellSandbox } from "../../system/commands/shell.ts";

type SandboxSetting = NonNullable<Config["sandbox"]>;

/** The sandbox of this daemon. */
export type DaemonSandbox = ShellSandbox & {
  setting: () => SandboxSetting;
  /** Whether it works on this machine. Undefined until Baton has tried. */
  state: () => SandboxState | undefined;
  /** Waits until Baton has tried, unless the sandbox is off. */
  tried: () => Promise<void>;
  /** The sandbox for servers and formatters, if the user turned it on for everything. */
  forServers: () => Sandbox | undefined;
  /** The sandbox for tools that are files, and for programs of the project that run without a question. It is used wherever it works. */
  forTools: () => Sandbox | undefined;
};

type SandboxOptions = { config: () => Config; paths: BatonPaths; env: Readonly<Record<string, string | undefined>> };

/** Opens the sandbox, which is tried when it is first needed. `BATON_SANDBOX=off` turns it off, whatever the config says. */
export function openSandbox({ config, paths, env }: SandboxOptions): DaemonSandbox {
  const [home, searchPath] = [env["HOME"] ?? homedir(), env["PATH"] ?? ""];
  const setting = (): SandboxSetting => (env["BATON_SANDBOX"] === "off" ? "off" : (config().sandbox ?? "auto"));
  const known = new Map<boolean, Sandbox>();
  const current = (): Sandbox => {
    const network = config().network !== "off" && setting() === "on";
    const folder = path.join(paths.state, "sandbox");
    const sandbox = known.get(network) ?? bubblewrap({ folder, home, searchPath, certificates: certificateFiles(env), network });
    known.set(network, sandbox);
    return sandbox;
  };
  let found: SandboxState | undefined;
  let probing: Promise<SandboxState> | undefined;
  const probe = async (): Promise<SandboxState> => (found = await (probing ??= probeSandbox(current(), paths.state)));
  const working = async (): Promise<Sandbox | string> => {
    const state = await probe();
    return state.works ? current() : state.why;
  };
  /** The user may turn the sandbox on later, so it is tried when its state is first needed. A failure is a part of the state. */
  const state = (): SandboxState | undefined => {
    if (setting() === "off") return undefined;
    if (found === undefined) probe().catch(() => undefined);
    return found;
  };
  return {
    setting,
    state,
    tried: async () => void (setting() === "off" || (await probe())),
    forServers: () => (setting() === "on" ? current() : undefined),
    forTools: () => (setting() === "on" || (setting() === "auto" && state()?.works === true) ? current() : undefined),
    forContained: working,
    forAll: async () => {
      if (setting() !== "on") return undefined;
      const sandbox = await working();
      return typeof sandbox === "string" ? `${sandbox}. Fix that, or set "sandbox": "auto"` : sandbox;
    },
  };
}
