import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/**
 * Writes the types of the client library to `file`, as one file that needs no other package than `@types/node`. `root` is a checkout whose
 * types are built (`tsc -b`).
 */
export async function writeClientTypes(root: string, file: string): Promise<void> {
  const bundle = await rolldown({
    input: path.join(root, "packages", "daemon", "dist", "types", "client", "public-api.d.ts"),
    platform: "node",
    resolve: { conditionNames: ["import", "node", "default"] },
    external: [/^node:/],
    plugins: [modulesOfZod, withoutContext, dts({ dtsOnly: true, generator: "oxc", resolver: "oxc", tsconfig: false })],
    onLog(level, log, report) {
      if (log.code === "UNRESOLVED_IMPORT" || log.code === "IMPORT_IS_UNDEFINED") throw new Error(log.message);
      if (!log.message.includes("CommonJS dts syntax")) report(level, log); // translations of zod, which the bundle leaves out
    },
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const [{ code }] = output;
  writeFileSync(file, code.replaceAll(/^\/\/\/ <reference path=.*\n/gm, "")); // a file of a package that is not there
}

/** zod names its CommonJS types first, which cannot be bundled. */
const modulesOfZod: Plugin = {
  name: "modules-of-zod",
  resolveId: (id) => (id === "zod" ? fileURLToPath(import.meta.resolve("zod")).replace(/\.js$/, ".d.ts") : undefined),
};

/** The router names the daemon's services. No client sees them, and they would bring the types of the store along. */
const withoutContext: Plugin = {
  name: "without-context",
  load: (id) =>
    id.endsWith(path.join("api", "api-context.d.ts"))
      ? {
          code: readFileSync(id, "utf8").replace(/^export type ApiContext = [^]*?;$/m, "export type ApiContext = object;"),
          moduleType: "ts",
        }
      : undefined,
};
