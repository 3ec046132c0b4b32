import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { isWithinPlugin, MAX_BYTES, MAX_FILES } from "../list-plugin-files.ts";

/** The headers of a tarball need space as well. */
const MAX_UNPACKED = MAX_BYTES + MAX_FILES * 2_048;

/**
 * Unpacks the files of a package into a folder, without the folder at the top that every package has. Returns why a tarball is refused: it is
 * too large, broken, or has an entry that is neither a file nor a folder in the package.
 */
export async function unpackTarball(tarball: Uint8Array, to: string): Promise<string | undefined> {
  const { parseTar } = await import("nanotar");
  let entries: ReturnType<typeof parseTar>;
  try {
    // A copy, because the library reads the whole memory behind a buffer, and a small one shares it with others.
    entries = parseTar(new Uint8Array(await promisify(gunzip)(tarball, { maxOutputLength: MAX_UNPACKED })));
  } catch (error) {
    const isLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return isLarge ? `it is larger than ${MAX_BYTES / 1024 / 1024} MB.` : "its tarball is broken.";
  }
  if (entries.length > MAX_FILES) return `it has more than ${MAX_FILES} files.`;
  for (const entry of entries) {
    const name = entry.name.split("/").slice(1).join("/");
    if (entry.type === "directory" || entry.type === "globalExtendedHeader" || name === "") continue;
    if (entry.type !== "file") return `${JSON.stringify(entry.name)} is neither a file nor a folder.`;
    if (!isWithinPlugin("", name)) return `${JSON.stringify(entry.name)} leads out of the package.`;
    const file = path.join(to, ...name.split("/"));
    await mkdir(path.dirname(file), { recursive: true });
    const isProgram = (Number.parseInt(entry.attrs?.mode ?? "0", 8) & 0o111) !== 0;
    await writeFile(file, "data" in entry ? (entry.data ?? new Uint8Array()) : new Uint8Array(), { mode: isProgram ? 0o755 : 0o644 });
  }
  return undefined;
}
