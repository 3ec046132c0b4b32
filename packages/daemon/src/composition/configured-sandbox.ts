import { homedir } from "node:os";
import path from "node:path";
import type { BatonPaths } from "../client/paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { bubblewrap, type Sandbox } from "../system/commands/sandbox.ts";
import { protectedRoots } from "./protected-roots.ts";

/** The sandbox that the config wants now. Keys and the daemon's own folders are out of sight inside. */
export function configuredSandbox({ config }: LoadedConfig, places: BatonPaths): Sandbox | undefined {
  if (config.sandbox !== "on") return undefined;
  const home = homedir();
  const hidden = [...protectedRoots(places), ...[".ssh", ".gnupg", ".aws", ".config/gcloud"].map((name) => path.join(home, name))];
  return bubblewrap({ hidden, network: config.network !== "off" });
}
