/**
 * The store could not be written or read: the disk is full, another process holds a lock, the server is unreachable, or the store is
 * read-only. After a failed write the events are not in the store, as far as the daemon knows.
 */
export class StoreFault extends Error {
  /** Another daemon has already written this position of the stream. */
  readonly conflict: boolean;
  constructor(cause: unknown, attempt: "written" | "read" = "written") {
    const text = cause instanceof Error ? cause.message : String(cause);
    super(explain(text, attempt), { cause });
    this.name = "StoreFault";
    this.conflict = CONFLICT.test(text);
  }
}

/** The store is read-only, for the given reason. */
export class StoreRefused extends StoreFault {
  constructor(why: string) {
    super(why);
    this.message = why;
  }
}

/** True if the statement itself is wrong, so that a retry would fail as well. */
export const isWrongStatement = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "SQLITE_ERROR";

/** True if the file is damaged or not a database. A broken search index is neither, because Baton can build it again. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  !isBrokenIndex(error) &&
  /SQLITE_(NOTADB|CORRUPT)|not a database|malformed/i.test(`${"code" in error ? String(error.code) : ""} ${error.message}`);

const isBrokenIndex = (error: Error): boolean => "code" in error && error.code === "SQLITE_CORRUPT_VTAB";

const CONFLICT = /UNIQUE constraint failed: event|CHECK constraint failed: held/;

function explain(text: string, attempt: "written" | "read"): string {
  if (CONFLICT.test(text))
    return "Another daemon that shares this store is working on this session. Continue there, or stop that daemon. The session can be written here at most 30 seconds later.";
  if (/SQLITE_FULL|disk is full|ENOSPC/i.test(text))
    return "The disk is full, so Baton cannot write its log. Free some space; the work then continues by itself.";
  if (/SQLITE_BUSY|locked/i.test(text)) return "Another process has locked Baton's store. The work continues when the lock is released.";
  if (/SQLITE_READONLY|readonly|EACCES|EROFS/i.test(text)) return "Baton cannot write its store. Check the permissions of its folder.";
  return `Baton's store cannot be ${attempt}: ${text}`;
}
