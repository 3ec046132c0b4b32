import { sql } from "drizzle-orm";
import { check, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The log: the only truth. One stream per session, workspace, profile or user; two writers collide on the key. */
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

/** What a command was answered, refusals included, so that sending it twice gets the first answer again. */
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

/** Derived: the state of each session as lists show it. `rebuild` makes all derived tables from the events. No index: every step would have to write it. */
export const session = sqliteTable("session", {
  id: text("id").primaryKey(),
  parentId: text("parent_id"),
  workspace: text("workspace").notNull(),
  title: text("title").notNull(),
  /** Of a delegated task, in JSON: its priority and estimate. */
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

/** Derived: every open request of every session, whole. */
export const request = sqliteTable("request", {
  id: text("id").primaryKey(),
  sessionId: text("session_id").notNull(),
  openedAt: integer("opened_at").notNull(),
  data: text("data").notNull(),
});

/** Derived: the folded state of a long session at some seq, so that opening it does not fold the log from its beginning. */
export const snapshot = sqliteTable("snapshot", {
  streamId: text("stream_id").primaryKey(),
  seq: integer("seq").notNull(),
  /** Which `reduce` made it; another one folds anew. */
  version: integer("version").notNull(),
  state: text("state").notNull(),
});

/** Which daemon writes a session, where several share a store: until when (epoch milliseconds) it need not say so again. */
export const owner = sqliteTable("owner", {
  streamId: text("stream_id").primaryKey(),
  daemon: text("daemon").notNull(),
  /** Goes up with every change of hands, so that who comes back late finds the door shut. */
  epoch: integer("epoch").notNull(),
  until: integer("until").notNull(),
});

/** Takes nothing but 1: a batch that is to count only while something holds writes here whether it does. Always empty. */
export const fence = sqliteTable("fence", { held: integer("held").notNull() }, (table) => [check("held", sql`${table.held} = 1`)]);

/** Tokens of pages, hashed, so that an open page goes on after a restart. */
export const browserToken = sqliteTable("browser_token", {
  hash: text("hash").primaryKey(),
  createdAt: integer("created_at").notNull(),
  usedAt: integer("used_at").notNull(),
});

/** Derived: tokens and US dollars by day (as the calendar of the daemon's machine has it), session and model. Stays when a session is deleted. */
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
    /** 1 where the price of a part of it was not known. */
    unpriced: integer("unpriced", { mode: "boolean" }).notNull(),
    /** How many of the tokens nobody counted. */
    estimated: integer("estimated").notNull().default(0),
    steps: integer("steps").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.sessionId, table.model] })],
);
