import { nodeBundle } from "../../tools/bundle.ts";

const external = ["libsql", "@vscode/ripgrep"];
const store = ["drizzle-orm", "@libsql/client", "libsql"];
/** The daemon starts without these and loads them when they are first needed. */
const late = ["@modelcontextprotocol/server", "@modelcontextprotocol/client", "@ai-sdk/provider-utils", "smol-toml"];

export default [
  nodeBundle({ entry: "src/main.ts", file: "main.js", beside: ["daemon"] }),
  nodeBundle({
    entry: "src/daemon.ts",
    file: "daemon.js",
    external,
    late,
    together: ["src/world.ts", "src/api/procedures.ts"],
    copy: [
      { from: "src/log/migrations", to: "dist/migrations" },
      { from: "prompts", to: "dist/prompts" },
    ],
  }),
  nodeBundle({ entry: "src/store.ts", file: "store.js", external }),
  nodeBundle({ entry: "src/client/index.ts", file: "client.js", forbidden: store, whole: true }),
];
