import { hash, randomBytes } from "node:crypto";
import type { Database } from "./database/database.ts";

/** The tokens of pages. The store only has their hashes. A token expires after 30 days without use. */
type BrowserTokens = {
  issue: (now: number) => Promise<string>;
  /** True if the token was issued here and has not expired. */
  accept: (token: string, now: number) => Promise<boolean>;
};

const MAX_UNUSED_MS = 30 * 24 * 60 * 60 * 1_000;

export function openBrowserTokens(database: Database): BrowserTokens {
  /** Tokens that could not be stored are valid until this daemon ends. Users need the page most when the store has problems. */
  const unstored = new Set<string>();
  return {
    async issue(now) {
      const token = randomBytes(32).toString("base64url");
      const written = database.write([
        { sql: "DELETE FROM browser_token WHERE used_at < ?", args: [now - MAX_UNUSED_MS] },
        { sql: "INSERT INTO browser_token (hash, created_at, used_at) VALUES (?,?,?)", args: [hashOf(token), now, now] },
      ]);
      await written.catch(() => unstored.add(hashOf(token)));
      return token;
    },
    async accept(token, now) {
      const hash = hashOf(token);
      if (unstored.has(hash)) return true;
      const [row] = await database.query({ sql: "SELECT used_at FROM browser_token WHERE hash = ?", args: [hash] });
      if (!row || Number(row["used_at"]) < now - MAX_UNUSED_MS) return false;
      await database.write([{ sql: "UPDATE browser_token SET used_at = ? WHERE hash = ?", args: [now, hash] }]).catch(() => undefined);
      return true;
    },
  };
}

const hashOf = (token: string): string => hash("sha256", token, "base64url");
