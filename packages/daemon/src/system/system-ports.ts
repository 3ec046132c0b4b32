import type { Blobs } from "./files/blob.ts";
import type { Clock } from "./clock.ts";
import type { Files } from "./files/files.ts";
import type { SkillLibrary } from "./skill-library.ts";
import type { FileSearch } from "./files/search.ts";
import type { Shell } from "./commands/shell.ts";
import type { WebFetcher } from "./web/web-fetch.ts";
import type { WebSearcher } from "./web/web-search.ts";

/** Everything that a tool may use of the machine, tied to one session's workspace. */
export type Ports = {
  files: Files;
  shell: Omit<Shell, "monitor" | "program">;
  web: WebFetcher;
  webSearch: WebSearcher;
  search: FileSearch;
  blobs: Blobs;
  clock: Clock;
  library: SkillLibrary;
};
