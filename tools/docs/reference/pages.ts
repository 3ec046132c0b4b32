import { commandsPage } from "./commands.ts";
import { environmentPage } from "./environment.ts";
import { eventsPage } from "./events.ts";
import { exitCodesPage } from "./exit-codes.ts";
import { filesPage } from "./files.ts";
import { keysPage } from "./keys.ts";
import { modesPage } from "./modes.ts";
import type { Page } from "./page.ts";
import { proceduresPage } from "./procedures.ts";
import { settingsPage } from "./settings.ts";
import { toolsPage } from "./tools.ts";

/** All pages of the reference. */
export const referencePages = (): Page[] => [
  commandsPage(),
  exitCodesPage(),
  keysPage(),
  toolsPage(),
  modesPage(),
  settingsPage(),
  environmentPage(),
  filesPage(),
  eventsPage(),
  proceduresPage(),
];
