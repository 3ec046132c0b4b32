import { enableCompileCache } from "node:module";
import { placesOf } from "./client/places.ts";

// What was compiled once is kept for the next start, in a folder of our own: in a shared one somebody else could put code there.
// The store's driver asks for a report to learn which libc this is; the network is not needed for that and takes long.
Object.assign(process.report ?? {}, { excludeNetwork: true });
enableCompileCache(placesOf(process.env).compileCache);
await import("./daemon.ts");
