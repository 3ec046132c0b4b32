import { nodeBundle } from "../../tools/bundle.ts";

export default nodeBundle({
  entry: "src/main.ts",
  file: "main.js",
  forbidden: ["drizzle-orm", "@libsql/client", "libsql"],
  copy: [{ from: "../../docs", to: "dist/docs", only: ".md" }],
});
