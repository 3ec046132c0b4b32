export { allEvents } from "./all-events.ts";
export { useCompileCache } from "./compile-cache.ts";
export { connectTo, OtherVersion, refusalOf, type Api, type Connection, type ConnectOptions } from "./connect.ts";
export { onlyWhatFits } from "./fits.ts";
export { findDaemon, PROTOCOL, readDiscovery, type Discovery } from "./discovery.ts";
export { insist, newCommandId } from "./insist.ts";
export { makeFolder } from "./make-folder.ts";
export { placesOf, type Places } from "./places.ts";
export { daemonEnv, daemonProgram, findOrStart, NoDaemon, storeProgram } from "./start.ts";
