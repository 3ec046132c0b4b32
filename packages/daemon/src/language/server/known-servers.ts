/** A language server that Baton knows. Its first command that is installed is used. */
export type KnownServer = {
  /** The name in the setting `lsp`. Names are those of opencode. */
  name: string;
  extensions: readonly string[];
  /** Files in the folder of a project that has code for the server. */
  markers?: readonly string[];
  commands: readonly (readonly [program: string, ...args: string[]])[];
  initialization?: Readonly<Record<string, unknown>>;
};

/** Servers that speak the protocol over standard input and output without further configuration, and download nothing. */
export const knownServers: readonly KnownServer[] = [
  {
    name: "typescript",
    extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"],
    markers: ["tsconfig.json", "jsconfig.json", "package.json"],
    commands: [["typescript-language-server", "--stdio"]],
    initialization: {
      hostInfo: "baton",
      disableAutomaticTypingAcquisition: true, // it would download types
      tsserver: { useSyntaxServer: "never" }, // it answers while the project is loading, and does not know other files
    },
  },
  {
    name: "pyright",
    extensions: [".py", ".pyi"],
    markers: ["pyproject.toml", "setup.py", "requirements.txt", "pyrightconfig.json"],
    commands: [
      ["basedpyright-langserver", "--stdio"],
      ["pyright-langserver", "--stdio"],
    ],
  },
  { name: "gopls", extensions: [".go"], markers: ["go.mod", "go.work"], commands: [["gopls"]] },
  { name: "rust", extensions: [".rs"], markers: ["Cargo.toml"], commands: [["rust-analyzer"]] },
  {
    name: "clangd",
    extensions: [".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"],
    markers: ["compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "Makefile"],
    // Headers are read from the messages of Baton, so that the errors before an edit can be compared with those after it.
    commands: [["clangd", "--use-dirty-headers", "--log=error"]],
  },
  { name: "bash", extensions: [".sh", ".bash"], commands: [["bash-language-server", "start"]] },
  { name: "lua-ls", extensions: [".lua"], commands: [["lua-language-server"]] },
  { name: "zls", extensions: [".zig"], markers: ["build.zig"], commands: [["zls"]] },
  { name: "php intelephense", extensions: [".php"], markers: ["composer.json"], commands: [["intelephense", "--stdio"]] },
  { name: "ruby-lsp", extensions: [".rb"], markers: ["Gemfile"], commands: [["ruby-lsp"]] },
  { name: "ocaml-lsp", extensions: [".ml", ".mli"], markers: ["dune-project"], commands: [["ocamllsp"]] },
  { name: "gleam", extensions: [".gleam"], markers: ["gleam.toml"], commands: [["gleam", "lsp"]] },
  { name: "nixd", extensions: [".nix"], commands: [["nixd"]] },
  { name: "texlab", extensions: [".tex", ".bib"], commands: [["texlab"]] },
  { name: "terraform", extensions: [".tf", ".tfvars"], commands: [["terraform-ls", "serve"]] },
  { name: "sourcekit-lsp", extensions: [".swift"], markers: ["Package.swift"], commands: [["sourcekit-lsp"]] },
];

/** The protocol's names of languages, where they differ from the extension. */
const languageIds: Readonly<Record<string, string>> = {
  ".ts": "typescript",
  ".mts": "typescript",
  ".cts": "typescript",
  ".tsx": "typescriptreact",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascriptreact",
  ".py": "python",
  ".pyi": "python",
  ".rs": "rust",
  ".h": "c",
  ".cc": "cpp",
  ".cxx": "cpp",
  ".hh": "cpp",
  ".hpp": "cpp",
  ".hxx": "cpp",
  ".sh": "shellscript",
  ".bash": "shellscript",
  ".rb": "ruby",
  ".ml": "ocaml",
  ".mli": "ocaml.interface",
  ".tex": "latex",
  ".bib": "bibtex",
  ".tf": "terraform",
  ".tfvars": "terraform-vars",
};

export const languageIdOf = (extension: string): string => languageIds[extension] ?? extension.slice(1);
