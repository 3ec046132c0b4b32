import type { Blobs } from "./blob.ts";
import type { Clock } from "./clock.ts";
import type { Files } from "./files.ts";
import type { Library } from "./library.ts";
import type { Search } from "./search.ts";
import type { Shell } from "./shell.ts";
import type { Web } from "./web.ts";

/** What tools may touch of the machine, bound to one session's workspace. A tool gets these and nothing else. */
export type Ports = { files: Files; shell: Shell; web: Web; search: Search; blobs: Blobs; clock: Clock; library: Library };
