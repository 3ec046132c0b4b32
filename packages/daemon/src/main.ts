import { useCompileCache } from "./client/compile-cache.ts";
import { placesOf } from "./client/paths.ts";

// The store's driver asks for a report to learn which libc this is; the network is not needed for that and takes long.
Object.assign(process.report ?? {}, { excludeNetwork: true });
useCompileCache(placesOf(process.env));
await import("./daemon-process.ts");
