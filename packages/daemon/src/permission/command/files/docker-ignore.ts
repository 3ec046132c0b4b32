import path from "node:path";
import { exists, readText } from "./path-on-disk.ts";

/** A pattern without signs that docker or this module could read in another way. */
const PLAIN = /^(?!(.*\*){6})[\w.*/-]+$/;

/**
 * Returns a filter for the files of a folder that `.dockerignore` keeps out of a build. Files count as part of the build if there are exceptions
 * (`!`), or if the Dockerfile has a list of its own. Source: "Build context" in the documentation of docker.
 */
export function dockerIgnores(folder: string): (name: string, below: string) => boolean {
  const lines = (readText(path.join(folder, ".dockerignore")) ?? "").split(/\r?\n/).map((line) => line.trim());
  const isOther = lines.some((line) => line.startsWith("!")) || exists(path.join(folder, "Dockerfile.dockerignore"));
  const patterns = isOther ? [] : lines.filter((line) => PLAIN.test(line)).map(patternOf);
  return (_, below) => patterns.some((pattern) => pattern.test(below));
}

/** A pattern matches from the top of the folder, and everything in a folder that it matches. */
function patternOf(line: string): RegExp {
  const plain = line.replace(/^\.?\/+/, "").replace(/\/+$/, "");
  const source = plain.replace(/\*\*\/|\*\*|\*|[.]/g, (sign) =>
    sign === "**/" ? "(?:.*/)?" : sign === "**" ? ".*" : sign === "*" ? "[^/]*" : "\\.",
  );
  return new RegExp(`^${source}(?:/|$)`);
}
