import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod";

/** The token and the preferred port of a daemon. They survive restarts, so that open pages and clients find it again. */
const Identity = z.object({ token: z.string().min(40), port: z.number().int() });
type Identity = z.infer<typeof Identity>;

/** Reads the identity, or creates one with a new token of 32 random bytes and no port. */
export async function readIdentity(file: string): Promise<Identity> {
  const text = await readFile(file, "utf8").catch(() => "");
  try {
    return Identity.parse(JSON.parse(text));
  } catch {
    return { token: randomBytes(32).toString("base64url"), port: 0 }; // missing or damaged: clients find the new daemon by its discovery file
  }
}

/** Writes JSON to a file that only its user can read. */
export const writePrivate = (file: string, value: unknown): Promise<void> =>
  writeFileAtomic(file, `${JSON.stringify(value)}\n`, { mode: 0o600 });
