// Runs as a child of the daemon, for which it runs programs in terminals.
import { serveTerminals } from "./system/terminals/terminal-host.ts";

serveTerminals(process);
