import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod";

/** What a daemon keeps over restarts, so that open pages and clients find it again: its token, and the port it would like. */
export const Identity = z.object({ token: z.string().min(40), port: z.number().int() });
export type Identity = z.infer<typeof Identity>;

/** Reads the identity, or makes one with a new token of 32 random bytes and no port. */
export async function readIdentity(file: string): Promise<Identity> {
  const text = await readFile(file, "utf8").catch(() => "");
  try {
    return Identity.parse(JSON.parse(text));
  } catch {
    return { token: randomBytes(32).toString("base64url"), port: 0 }; // none yet, or damaged: clients find the new one by discovery
  }
}

/** Only its user can read it. */
export const writePrivate = (file: string, value: unknown): Promise<void> =>
  writeFileAtomic(file, `${JSON.stringify(value)}\n`, { mode: 0o600 });
