/** The library for clients of users, `@baton/cli/client` in the released package: finding the daemon, and the engine of all clients. */
export { connectTo, VersionMismatch, type Api, type Connection, type ConnectOptions } from "./connect.ts";
export { findDaemon, type Discovery } from "./discovery.ts";
export { DaemonUnavailable, findOrStart } from "./find-or-start.ts";
export { batonPaths, type BatonPaths } from "./paths.ts";
export * from "@baton/core/client/blobs";
export * from "@baton/core/client/commands";
export * from "@baton/core/client/errors";
export * from "@baton/core/client/follow-events";
export * from "@baton/core/client/follow-lists";
export * from "@baton/core/client/follow-state";
export * from "@baton/core/client/input-guard";
export * from "@baton/core/client/session-view";
export type { Streams, StreamingReply } from "@baton/core/client/streams";
export type { Logged, SessionEvent } from "@baton/core/protocol/event";
export type { Answer, Choice, InboxItem, Request } from "@baton/core/protocol/request";
export type { SessionRow } from "@baton/core/session/session-list";
export { openRequests, type SessionState } from "@baton/core/session/state";
export type { Entry } from "@baton/core/session/transcript/entry";
