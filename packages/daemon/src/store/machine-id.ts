import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import * as z from "zod";
import { writePrivate } from "./daemon-token-and-port.ts";

/** The machine whose disk a session works on. Its id is stored in the data folder, so it survives changes of the host name. */
export type Machine = { id: string; name: string };

const StoredId = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) });

/** Reads the id of this machine, or creates one. Throws if the file is invalid. */
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
    return { id: StoredId.parse(JSON.parse(text)).id, name };
  } catch (cause) {
    throw new Error(
      `${file} does not contain the id of this machine. Restore it from a backup or delete it. After a deletion Baton creates a new id, and this machine's sessions on a shared store become read-only here.`,
      { cause },
    );
  }
}
