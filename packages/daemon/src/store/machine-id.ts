import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import * as z from "zod";
import { writePrivate } from "./daemon-identity.ts";

/** Whose disk a session works on. The id is kept in the data folder, so it outlives changes of the host's name. */
export type Machine = { id: string; name: string };

const Kept = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) });

/** Reads the id of this machine from the file, or makes one. Throws when the file holds something else. */
export async function readMachine(file: string): Promise<Machine> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const name = hostname();
  if (text === undefined) {
    const id = randomBytes(8).toString("hex");
    await writePrivate(file, { id });
    return { id, name };
  }
  try {
    return { id: Kept.parse(JSON.parse(text)).id, name };
  } catch (cause) {
    throw new Error(
      `${file} does not hold the id of this machine. Put it back from a backup, or delete it: Baton then makes a new id, and sessions of this machine on a shared store can only be read here.`,
      { cause },
    );
  }
}
