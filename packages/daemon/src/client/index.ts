export { useCompileCache } from "./compile-cache.ts";
export { connectTo, VersionMismatch, type Api, type Connection, type ConnectOptions } from "./connect.ts";
export { buildId } from "./build-id.ts";
export { findLockHolder, type LockHolder } from "./lock-holder.ts";
export { findDaemon, PROTOCOL, readDiscovery, type Discovery } from "./discovery.ts";
export { isProcessAlive } from "./process-alive.ts";
export { makeFolder } from "./make-folder.ts";
export { batonPaths, type BatonPaths } from "./paths.ts";
export { daemonEnv, daemonProgram, findOrStart, DaemonUnavailable, storeProgram } from "./find-or-start.ts";
