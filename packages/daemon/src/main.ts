import { enableCompileCache } from "node:module";
import { placesOf } from "./client/places.ts";

// What was compiled once is kept for the next start, in a folder of our own: in a shared one somebody else could put code there.
enableCompileCache(placesOf(process.env).compileCache);
await import("./daemon.ts");
