import { spawnSync } from "node:child_process";

export const BUBBLEWRAP = "/usr/bin/bwrap";

const start = () =>
  spawnSync(BUBBLEWRAP, ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-net", "/bin/true"]).status;

/** Whether bubblewrap works here. Installs it if it is missing and root may do that. */
export function hasBubblewrap(): boolean {
  if (start() === 0) return true;
  if (process.getuid?.() !== 0 || process.platform !== "linux") return false;
  spawnSync("apt-get", ["update"], { stdio: "ignore" }); // without it a new machine has no list of packages
  spawnSync("apt-get", ["install", "-o", "DPkg::Lock::Timeout=300", "-y", "--no-install-recommends", "bubblewrap"], { stdio: "ignore" });
  return start() === 0;
}
