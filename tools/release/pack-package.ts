import { execFileSync } from "node:child_process";

export type Packed = { tarball: string; files: number; /** In bytes. */ unpacked: number };

/** Packs the staged package into `to`, exactly as `npm publish` would. */
export function packPackage(staged: string, to: string): Packed {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const output = execFileSync(npm, ["pack", "--json", "--ignore-scripts", "--pack-destination", to], { cwd: staged, encoding: "utf8" });
  const [report] = Object.values(JSON.parse(output) as Record<string, unknown> | unknown[]) as [
    { filename: string; entryCount: number; unpackedSize: number } | undefined,
  ];
  if (!report) throw new Error("npm pack reported no package.");
  return { tarball: report.filename, files: report.entryCount, unpacked: report.unpackedSize };
}
