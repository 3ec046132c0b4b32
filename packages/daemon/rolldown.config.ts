import { createRequire } from "node:module";
import path from "node:path";
import { nodeBundle } from "../../tools/bundle.ts";
import { grammarNames } from "./src/code-index/analysis/languages.ts";

const external = ["libsql", "@lydell/node-pty", "@napi-rs/keyring", "@vscode/ripgrep"];
const store = ["drizzle-orm", "@libsql/client", "libsql"];
/** The daemon starts without these and loads them when they are first needed. */
const late = ["@modelcontextprotocol/server", "@modelcontextprotocol/client", "@ai-sdk/provider-utils", "smol-toml", "vscode-jsonrpc"];

export default [
  nodeBundle({ entry: "src/main.ts", file: "main.js", beside: ["daemon-process"] }),
  nodeBundle({
    entry: "src/daemon-process.ts",
    file: "daemon-process.js",
    external,
    late,
    together: ["src/composition-root.ts", "src/api/routers/"],
    copy: [
      { from: "src/store/database/migrations", to: "dist/migrations" },
      { from: "prompts", to: "dist/prompts" },
    ],
  }),
  nodeBundle({ entry: "src/code-index-process.ts", file: "code-index.js", external, whole: true, copy: grammarFiles() }),
  nodeBundle({ entry: "src/terminal-host-process.ts", file: "terminal-host.js", external, whole: true }),
  nodeBundle({ entry: "src/store-cli.ts", file: "store.js", external }),
  nodeBundle({ entry: "src/client/index.ts", file: "client.js", forbidden: store, whole: true, readable: true }),
  nodeBundle({ entry: "src/client/public-api.ts", file: "library.js", forbidden: store, whole: true, readable: true }),
];

/** The parser of source files and its grammars, which are WebAssembly. Uncompressed, the grammars would double the size of the package. */
function grammarFiles(): { from: string; to: string; compress?: boolean }[] {
  const { resolve } = createRequire(import.meta.url);
  const folder = path.dirname(resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm"));
  return [
    { from: resolve("web-tree-sitter/web-tree-sitter.wasm"), to: "dist/grammars/web-tree-sitter.wasm" },
    ...[...new Set(grammarNames)].map((name) => {
      const file = `tree-sitter-${name}.wasm`;
      return { from: path.join(folder, file), to: `dist/grammars/${file}`, compress: true };
    }),
  ];
}
