export { useCompileCache } from "./compile-cache.ts";
export { connectTo, OtherVersion, type Api, type Connection, type ConnectOptions } from "./connect.ts";
export { buildId } from "./build-id.ts";
export { lockHolder, type Holder } from "./lock-holder.ts";
export { findDaemon, PROTOCOL, readDiscovery, type Discovery } from "./discovery.ts";
export { makeFolder } from "./make-folder.ts";
export { placesOf, type Places } from "./paths.ts";
export { daemonEnv, daemonProgram, findOrStart, NoDaemon, storeProgram } from "./find-or-start.ts";
