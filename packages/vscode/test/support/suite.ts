import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

/** The suite as one file that an extension host can load. */
export async function builtSuite(folder: string): Promise<string> {
  const file = path.join(folder, "suite.cjs");
  await build({
    input: fileURLToPath(new URL("../suite/index.ts", import.meta.url)),
    platform: "node",
    external: ["vscode", "bufferutil", "utf-8-validate", /^node:/],
    resolve: { conditionNames: ["@baton/source", "node", "import", "default"], mainFields: ["module", "main"] },
    transform: { target: "node20" },
    output: { file, format: "cjs", codeSplitting: false },
    logLevel: "silent",
  });
  return file;
}
