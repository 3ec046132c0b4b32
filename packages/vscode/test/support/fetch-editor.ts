import { chromiumPath } from "../../../web/test/support/browser.ts";
import { codeServerProgram } from "./code-server.ts";

/** Fetches the programs that the scenarios of page and editor need on this machine, while other checks run. */
if (chromiumPath !== undefined) codeServerProgram();
