import { cpSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { defineConfig, type Plugin } from "rolldown";

/** The one file that an editor loads. Editors of 2024 bring Node 20 and load CommonJS. */
export default defineConfig({
  input: { extension: "src/extension.ts" },
  platform: "node",
  external: ["vscode", "bufferutil", "utf-8-validate", /^node:/],
  resolve: { conditionNames: ["@baton/source", "node", "import", "default"], mainFields: ["module", "main"] },
  transform: { target: "node20" },
  output: { dir: "dist", format: "cjs", entryFileNames: "[name].cjs", minify: true, codeSplitting: false },
  plugins: [clientOnly(), pageBeside()],
});

/** The extension is a client: what runs sessions must not come in. */
function clientOnly(): Plugin {
  const forbidden = ["drizzle-orm", "@libsql", "libsql", "re2js"].map((name) => `/node_modules/${name}/`);
  return {
    name: "client-only",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((each) => (each.type === "chunk" ? each.moduleIds : []));
      const found = modules.find(
        (id) => forbidden.some((part) => id.includes(part)) || /\/daemon\/src\/(?!client\/|system\/platform\/)/.test(id),
      );
      if (found !== undefined) this.error(`${found} must not be part of the extension`);
    },
  };
}

/** The page's own build lies beside the extension. */
function pageBeside(): Plugin {
  const built = path.resolve("../web/dist");
  return {
    name: "page-beside",
    buildStart() {
      this.addWatchFile(path.join(built, "index.html"));
    },
    writeBundle() {
      rmSync("dist/page", { recursive: true, force: true });
      const used = readFileSync(path.join(built, "index.html"), "utf8");
      if (!used.includes("./assets/")) this.error("the page was not built to lie in any folder: see `base` in vite.config.ts");
      for (const part of ["index.html", "assets"]) cpSync(path.join(built, part), path.join("dist/page", part), { recursive: true });
    },
  };
}
