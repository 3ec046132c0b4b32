import { useCompileCache } from "./client/compile-cache.ts";
import { batonPaths } from "./client/paths.ts";

// The store's driver asks for a report to learn which libc this is; the network is not needed for that and takes long.
Object.assign(process.report ?? {}, { excludeNetwork: true });
useCompileCache(batonPaths(process.env));
await import("./daemon-process.ts");
