import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { parseJson } from "@baton/core/text/json";
import * as z from "zod";

type Env = Readonly<Record<string, string | undefined>>;

/** A tarball that npm has downloaded and compared with the registry's integrity. */
type PackedPackage = { file: string; version: string; integrity: string };

const LIMIT_MS = 3 * 60_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
export const MAX_TARBALL = 50 * 1024 * 1024;

const Report = z.array(z.object({ filename: z.string(), version: z.string(), integrity: z.string() })).length(1);

/**
 * Downloads a package of npm with the user's npm and its settings, into an empty folder. `spec`: a checked name with an optional version.
 * npm runs no script of the package.
 */
export async function packPackage(spec: string, folder: string, env: Env): Promise<PackedPackage | { problem: string }> {
  const args = ["pack", "--json", "--ignore-scripts", "--foreground-scripts=false", "--pack-destination", folder, "--", spec];
  const ended = await new Promise<{ out: string } | { problem: string }>((resolve) => {
    // The folder is empty, so no .npmrc and no package.json of a project counts.
    execFile("npm", args, { cwd: folder, env: { ...env }, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) =>
      resolve(error ? { problem: `npm cannot fetch ${spec}: ${reason(error, stderr)}` } : { out: stdout }),
    );
  });
  if ("problem" in ended) return ended;
  const report = Report.safeParse(parseJson(ended.out));
  if (!report.success) return { problem: `npm fetched ${spec} but did not report one package.` };
  const [{ filename, version, integrity } = { filename: "", version: "", integrity: "" }] = report.data;
  const file = path.join(folder, path.basename(filename));
  const { size } = await stat(file);
  if (size > MAX_TARBALL) return { problem: `The package ${spec} is larger than ${MAX_TARBALL / 1024 / 1024} MB.` };
  return { file, version, integrity };
}

function reason(error: Error & { code?: unknown }, stderr: string): string {
  if (error.code === "ENOENT") return "npm is not installed.";
  const lines = stderr.split("\n").flatMap((line) => /^npm (?:error|ERR!) (?!code|A complete log)(.+)$/.exec(line)?.[1] ?? []);
  return lines[0] ?? "npm gave no reason.";
}
