/** A formatter that Baton knows. `$FILE` stands for the path of the file. */
type KnownFormatter = { name: string; command: readonly string[]; extensions: readonly string[] };

const WEB = [
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".json",
  ".jsonc",
  ".css",
  ".scss",
  ".html",
  ".md",
  ".yaml",
  ".yml",
];

/** Formatters that need no command in the setting `formatter`. Names are those of opencode. */
export const knownFormatters: readonly KnownFormatter[] = [
  { name: "prettier", command: ["prettier", "--write", "$FILE"], extensions: [...WEB, ".vue", ".svelte"] },
  { name: "biome", command: ["biome", "format", "--write", "$FILE"], extensions: WEB },
  { name: "gofmt", command: ["gofmt", "-w", "$FILE"], extensions: [".go"] },
  { name: "rustfmt", command: ["rustfmt", "$FILE"], extensions: [".rs"] },
  { name: "ruff", command: ["ruff", "format", "$FILE"], extensions: [".py", ".pyi"] },
  {
    name: "clang-format",
    command: ["clang-format", "-i", "$FILE"],
    extensions: [".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"],
  },
  { name: "shfmt", command: ["shfmt", "-w", "$FILE"], extensions: [".sh", ".bash"] },
  { name: "zig", command: ["zig", "fmt", "$FILE"], extensions: [".zig"] },
  { name: "terraform", command: ["terraform", "fmt", "$FILE"], extensions: [".tf", ".tfvars"] },
];
