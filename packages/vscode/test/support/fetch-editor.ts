import { chromiumPath } from "../../../web/test/support/browser.ts";
import { codeServerProgram } from "./code-server.ts";

/** Fetches what the scenarios of page and editor need of this machine, while other checks run. */
if (chromiumPath !== undefined) codeServerProgram();
