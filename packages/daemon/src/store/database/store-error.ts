/**
 * The store could not be written or read: the disk is full, another process holds a lock, the server is away, the store must
 * not be touched. After a failed write, the events are not in the store, as far as the daemon can know.
 */
export class StoreFault extends Error {
  /** Somebody else wrote this place of the stream. */
  readonly conflict: boolean;
  constructor(cause: unknown, attempt: "written" | "read" = "written") {
    const text = cause instanceof Error ? cause.message : String(cause);
    super(explain(text, attempt), { cause });
    this.name = "StoreFault";
    this.conflict = CONFLICT.test(text);
  }
}

/** A store that this daemon only reads, and why. */
export class StoreRefused extends StoreFault {
  constructor(why: string) {
    super(why);
    this.message = why;
  }
}

/** Whether the statement itself is wrong, so that a second try fails too. */
export const isWrongStatement = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "SQLITE_ERROR";

/** Whether the file is no sound database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /SQLITE_(NOTADB|CORRUPT)|not a database|malformed/i.test(`${"code" in error ? String(error.code) : ""} ${error.message}`);

const CONFLICT = /UNIQUE constraint failed: event|CHECK constraint failed: held/;

function explain(text: string, attempt: "written" | "read"): string {
  if (CONFLICT.test(text))
    return "Another daemon that shares this store works on this session. Go on with it there, or stop that daemon: at most 30 seconds later it can be written here again.";
  if (/SQLITE_FULL|disk is full|ENOSPC/i.test(text))
    return "The disk is full: Baton cannot write its log. Free some space; work goes on by itself.";
  if (/SQLITE_BUSY|locked/i.test(text)) return "Another process has locked Baton's store. Work goes on when it lets go.";
  if (/SQLITE_READONLY|readonly|EACCES|EROFS/i.test(text)) return "Baton's store cannot be written: check the rights of its folder.";
  return `Baton's store cannot be ${attempt}: ${text}`;
}
