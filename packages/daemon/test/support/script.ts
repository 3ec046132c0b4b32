import { writeFileSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";
import type { Script } from "../../src/model/scripted-model.ts";

let scripts = 0;

/** Writes a script for the scripted model into the folder of a daemon. Returns the name of the model that follows it. */
export function script({ root }: { root: string }, replies: z.input<typeof Script>["replies"]): string {
  const file = path.join(root, `script-${++scripts}.json`);
  writeFileSync(file, JSON.stringify({ replies }));
  return `scripted/${file}`;
}
