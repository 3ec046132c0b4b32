import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** The OAuth data of one MCP server, in the format of the SDK. */
type Credential = { client?: unknown; tokens?: unknown; verifier?: string };

/** The OAuth data of all servers, in a file that only its user can read. */
export type OAuthCredentials = {
  read: (key: string) => Credential;
  write: (key: string, change: Credential) => Promise<void>;
  /** Removes the data of all keys for which `isOf` is true. */
  remove: (isOf: (key: string) => boolean) => Promise<void>;
};

export function openCredentials(file: string): OAuthCredentials {
  let known: Record<string, Credential> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const all = (): Record<string, Credential> => (known ??= readAll(file));
  const store = (changed: Record<string, Credential>): Promise<void> => {
    known = changed;
    const text = JSON.stringify(changed);
    const work = queue.then(async () => {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.tmp`, text, { mode: 0o600 });
      await rename(`${file}.tmp`, file);
    });
    queue = work.catch(() => undefined);
    return work;
  };
  return {
    read: (key) => (Object.hasOwn(all(), key) ? (all()[key] ?? {}) : {}),
    write: (key, change) => store({ ...all(), [key]: { ...all()[key], ...change } }),
    async remove(isOf) {
      const kept = Object.entries(all()).filter(([key]) => !isOf(key));
      if (kept.length < Object.keys(all()).length) await store(Object.fromEntries(kept));
    },
  };
}

function readAll(file: string): Record<string, Credential> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, Credential>; // only written here
  } catch {
    return {}; // the file is missing or incomplete; a login writes it again
  }
}
