import { sql } from "drizzle-orm";
import { check, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The log. All other tables follow from it. One stream per session, workspace, profile or user; the key keeps two writers apart. */
export const event = sqliteTable(
  "event",
  {
    streamId: text("stream_id").notNull(),
    seq: integer("seq").notNull(),
    at: integer("at").notNull(),
    type: text("type").notNull(),
    commandId: text("command_id"),
    data: text("data").notNull(),
  },
  (table) => [primaryKey({ columns: [table.streamId, table.seq] })],
);

/** The answers to commands, refusals included. A repeated command gets the first answer again. */
export const receipt = sqliteTable(
  "receipt",
  {
    streamId: text("stream_id").notNull(),
    commandId: text("command_id").notNull(),
    at: integer("at").notNull(),
    answer: text("answer").notNull(),
  },
  (table) => [primaryKey({ columns: [table.streamId, table.commandId] })],
);

/** Derived: the state of each session for lists. `rebuild` rebuilds all derived tables from the events. No index, because every step would have to write it. */
export const session = sqliteTable("session", {
  id: text("id").primaryKey(),
  parentId: text("parent_id"),
  workspace: text("workspace").notNull(),
  title: text("title").notNull(),
  /** The priority and estimate of a delegated task, as JSON. */
  task: text("task"),
  mode: text("mode").notNull(),
  model: text("model"),
  status: text("status").notNull(),
  due: integer("due", { mode: "boolean" }).notNull(),
  steps: integer("steps").notNull(),
  cost: real("cost").notNull(),
  openRequests: integer("open_requests").notNull(),
  archived: integer("archived", { mode: "boolean" }).notNull(),
  seq: integer("seq").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** Derived: every open request of every session, as JSON. */
export const request = sqliteTable("request", {
  id: text("id").primaryKey(),
  sessionId: text("session_id").notNull(),
  openedAt: integer("opened_at").notNull(),
  data: text("data").notNull(),
});

/** Derived: the folded state of a long session at some seq. Opening the session starts from it. */
export const snapshot = sqliteTable("snapshot", {
  streamId: text("stream_id").primaryKey(),
  seq: integer("seq").notNull(),
  /** The version of `reduce` that made it. Other versions ignore it. */
  version: integer("version").notNull(),
  state: text("state").notNull(),
});

/** The leases of sessions in a shared store. `until` is in epoch milliseconds. */
export const owner = sqliteTable("owner", {
  streamId: text("stream_id").primaryKey(),
  daemon: text("daemon").notNull(),
  /** Increases whenever another daemon takes the lease, so that writes of the previous holder fail. */
  epoch: integer("epoch").notNull(),
  until: integer("until").notNull(),
});

/** Only accepts 1. A batch inserts the result of a condition here, which makes the batch fail if it is false. Always empty afterwards. */
export const fence = sqliteTable("fence", { held: integer("held").notNull() }, (table) => [check("held", sql`${table.held} = 1`)]);

/** Hashed tokens of pages. An open page continues after a restart. */
export const browserToken = sqliteTable("browser_token", {
  hash: text("hash").primaryKey(),
  createdAt: integer("created_at").notNull(),
  usedAt: integer("used_at").notNull(),
});

/** Derived: tokens and US dollars by day (in the daemon's time zone), session and model. Remains when a session is deleted. */
export const usage = sqliteTable(
  "usage",
  {
    day: text("day").notNull(),
    sessionId: text("session_id").notNull(),
    model: text("model").notNull(),
    input: integer("input").notNull(),
    cachedInput: integer("cached_input").notNull(),
    cacheWrite: integer("cache_write").notNull(),
    output: integer("output").notNull(),
    reasoning: integer("reasoning").notNull(),
    cost: real("cost").notNull(),
    /** 1 if the price of a part is unknown. */
    unpriced: integer("unpriced", { mode: "boolean" }).notNull(),
    /** The number of estimated tokens. */
    estimated: integer("estimated").notNull().default(0),
    steps: integer("steps").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.sessionId, table.model] })],
);

/**
 * Derived: a number for each session, of which the rowids of the search index consist (`search/search-index.ts`). The index itself is a
 * virtual table. The daemon creates it, because it must also replace one that is broken or of another version.
 */
export const searchSession = sqliteTable("search_session", {
  n: integer("n").primaryKey(),
  /** Null if the session was deleted and its words are still in the index. */
  sessionId: text("session_id").unique(),
  /** The events up to this seq are not indexed yet. */
  pending: integer("pending").notNull(),
});
