import { writeFileSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";
import type { Script } from "../../src/model/scripted.ts";
import type { TestDaemon } from "./daemon.ts";

let scripts = 0;

/** Writes a script for the scripted model and gives the name of the model that follows it. */
export function script(daemon: TestDaemon, replies: z.input<typeof Script>["replies"]): string {
  const file = path.join(daemon.root, `script-${++scripts}.json`);
  writeFileSync(file, JSON.stringify({ replies }));
  return `scripted/${file}`;
}
