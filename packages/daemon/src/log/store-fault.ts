/** The store could not write: full disk, foreign lock, gone, not to be touched. What was to be written is not there, as far as is known. */
export class StoreFault extends Error {
  /** Somebody else wrote this place of the stream. */
  readonly conflict: boolean;
  constructor(cause: unknown) {
    const text = cause instanceof Error ? cause.message : String(cause);
    super(explain(text), { cause });
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

/** Whether the file is no sound database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /SQLITE_(NOTADB|CORRUPT)|not a database|malformed/i.test(`${"code" in error ? String(error.code) : ""} ${error.message}`);

const CONFLICT = /UNIQUE constraint failed: event|CHECK constraint failed: held/;

function explain(text: string): string {
  if (CONFLICT.test(text))
    return "Another daemon that shares this store works on this session. Go on with it there, or stop that daemon: at most 30 seconds later it can be written here again.";
  if (/SQLITE_FULL|disk is full|ENOSPC/i.test(text))
    return "The disk is full: Baton cannot write its log. Free some space; work goes on by itself.";
  if (/SQLITE_BUSY|locked/i.test(text)) return "Another process has locked Baton's store. Work goes on when it lets go.";
  if (/SQLITE_READONLY|readonly|EACCES|EROFS/i.test(text)) return "Baton's store cannot be written: check the rights of its folder.";
  return `Baton's store cannot be written: ${text}`;
}
