import { useCompileCache } from "./client/compile-cache.ts";
import { batonPaths } from "./client/paths.ts";

// The store's driver requests a report to find out which libc this is. It does not need the network section, which takes long.
Object.assign(process.report ?? {}, { excludeNetwork: true });
useCompileCache(batonPaths(process.env));
await import("./daemon-process.ts");
