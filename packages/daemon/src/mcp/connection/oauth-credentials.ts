import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** What was agreed for one MCP server. The shapes are the SDK's; nobody else looks inside. */
export type Credential = { client?: unknown; tokens?: unknown; verifier?: string };

/** Secrets of servers, in a file that only its owner can read. */
export type Credentials = {
  read: (key: string) => Credential;
  write: (key: string, change: Credential) => Promise<void>;
};

export function openCredentials(file: string): Credentials {
  let known: Record<string, Credential> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const all = (): Record<string, Credential> => (known ??= readAll(file));
  return {
    read: (key) => (Object.hasOwn(all(), key) ? (all()[key] ?? {}) : {}),
    write(key, change) {
      known = { ...all(), [key]: { ...all()[key], ...change } };
      const text = JSON.stringify(known);
      const work = queue.then(async () => {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(`${file}.tmp`, text, { mode: 0o600 });
        await rename(`${file}.tmp`, file);
      });
      queue = work.catch(() => undefined);
      return work;
    },
  };
}

function readAll(file: string): Record<string, Credential> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, Credential>; // written by us alone
  } catch {
    return {}; // there is none yet, or half of one: a login makes it anew
  }
}
