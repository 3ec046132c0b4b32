import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { BuildOptions, Plugin } from "rolldown";
import { asciiOutput } from "./ascii-output.ts";
import { builtinsByName } from "./builtins.ts";

const week = 7 * 24 * 60 * 60 * 1000;

type Bundle = {
  /** The entry file, and the name of the bundle. */
  entry: string;
  file: string;
  /** Packages that stay outside because they contain a native binary. */
  external?: string[];
  /** Packages that must not be in the bundle. The build fails otherwise. */
  forbidden?: string[];
  /** Packages that no chunk of the program's start may contain. The build fails otherwise. */
  late?: string[];
  /** Modules of its folder that are separate bundles beside it, by name. */
  beside?: string[];
  /** Modules, or folders with a slash at the end, that form one file with all their imports, instead of one for each shared part. */
  together?: string[];
  /** One file in all, for a library. */
  whole?: boolean;
  /** Keeps the lines of the code. Node prints the line of an uncaught error, which would otherwise be the whole file. */
  readable?: boolean;
  /** Folders that are copied beside the bundle, or only their files with one ending. */
  copy?: Copy[];
  dir?: string;
};

/** `compress`: a file is stored with Brotli, and its name ends with `.br`. */
type Copy = { from: string; to: string; only?: string; compress?: boolean };

/** A program for Node: one entry with lazy chunks beside it, so that `import.meta.url` is always in its folder. */
export function nodeBundle({
  entry,
  file,
  external = [],
  forbidden = [],
  late = [],
  beside = [],
  together = [],
  whole = false,
  readable = false,
  copy = [],
  dir = "dist",
}: Bundle): BuildOptions {
  const name = path.basename(file, ".js");
  const isBeside = (id: string) => beside.some((each) => id.endsWith(`/${each}.ts`));
  return {
    input: { [name]: entry },
    platform: "node",
    external: [...external, ...external.map((each) => new RegExp(`^${each}/`)), ...optional, ...beside.map((each) => `./${each}.ts`)],
    // Packages without `exports` keep their ES modules in `module`; their `main` may be UMD, which cannot be bundled.
    resolve: { conditionNames: ["@baton/source", "node", "import", "default"], mainFields: ["module", "main"] },
    transform: { target: "node24" },
    treeshake: { propertyReadSideEffects: false },
    output: {
      dir,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: `${name}-[name]-[hash].js`,
      paths: (id) => (isBeside(id) ? `./${path.basename(id, ".ts")}.js` : id),
      codeSplitting: whole ? false : together.length === 0 || { groups: [ofTheRuntime, ...together.map(inOneFile)] },
      minify: readable ? { codegen: { removeWhitespace: false } } : true,
      sourcemap: true,
    },
    onLog(level, log, report) {
      if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
      report(level, log);
    },
    plugins: [
      builtinsByName(),
      keepOut(forbidden),
      keepLate(late, together),
      copied(copy),
      asciiOutput(),
      forgetOldChunks(),
      listFiles(name),
    ],
  };
}

/** Node modules that rolldown's own runtime needs before everything else. */
const ofTheRuntime = { name: "runtime", test: /^\0builtin:module$/, priority: 1 };

const inOneFile = (file: string) => ({ name: path.basename(file, ".ts"), test: (id: string) => isOf(id, file) });

const isOf = (id: string, file: string): boolean => (file.endsWith("/") ? id.includes(`/${file}`) : id.endsWith(`/${file}`));

/** Native accelerators that `ws` tries to load and does not need. */
const optional = ["bufferutil", "utf-8-validate"];

function keepOut(forbidden: string[]): Plugin {
  return {
    name: "keep-out",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const modules = [...chunk.moduleIds, ...chunk.imports, ...chunk.dynamicImports];
        for (const each of forbidden) {
          const found = modules.find((id) => id === each || id.includes(`/node_modules/${each}/`));
          if (found !== undefined) this.error(`${each} must not be part of this bundle, but ${found} is in ${chunk.fileName}`);
        }
      }
    },
  };
}

/** The chunks of the start: the entry, the chunks of `together`, and their static imports. */
function keepLate(packages: string[], together: string[]): Plugin {
  return {
    name: "keep-late",
    generateBundle(_, bundle) {
      const seen = new Set<string>();
      const visit = (fileName: string) => {
        const chunk = bundle[fileName];
        if (chunk?.type !== "chunk" || seen.has(fileName)) return;
        seen.add(fileName);
        for (const each of packages) {
          const found = chunk.moduleIds.find((id) => id.includes(`/node_modules/${each}/`));
          if (found !== undefined) this.error(`${each} must be loaded late, but ${found} is in ${fileName}, which is part of the start`);
        }
        for (const next of chunk.imports) visit(next);
      };
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const isStart = chunk.isEntry || chunk.moduleIds.some((id) => together.some((file) => isOf(id, file)));
        if (isStart) visit(chunk.fileName);
      }
    },
  };
}

function copied(folders: Copy[]): Plugin {
  return {
    name: "copied",
    writeBundle() {
      for (const { from, to, only = "", compress = false } of folders) {
        if (compress) {
          writeCompressed(from, `${to}.br`);
          continue;
        }
        rmSync(to, { recursive: true, force: true });
        const wanted = (file: string) => statSync(file).isDirectory() || file.endsWith(only);
        if (existsSync(from)) cpSync(from, to, { recursive: true, filter: wanted });
      }
    },
  };
}

/** Compressing the largest grammar takes seconds, so it is only done when the file has changed. */
function writeCompressed(from: string, to: string): void {
  const time = statSync(from).mtime;
  if (statSync(to, { throwIfNoEntry: false })?.mtimeMs === time.getTime()) return;
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, brotliCompressSync(readFileSync(from), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  utimesSync(to, time, time);
}

/** A running daemon loads its lazy chunks after a rebuild too, so old ones are kept for a week. */
function forgetOldChunks(): Plugin {
  return {
    name: "forget-old-chunks",
    writeBundle({ dir = "dist" }, bundle) {
      for (const name of readdirSync(dir)) {
        const file = path.join(dir, name);
        const isChunk = /-[\w-]{8}\.js(\.map)?$/.test(name);
        if (isChunk && !(name in bundle) && Date.now() - statSync(file).mtimeMs > week) rmSync(file);
      }
    },
  };
}

/** Writes the names of a bundle's files, so that a release contains no chunk of an older build. */
function listFiles(name: string): Plugin {
  return {
    name: "list-files",
    writeBundle({ dir = "dist" }, bundle) {
      writeFileSync(path.join(dir, `${name}.files.json`), JSON.stringify(Object.keys(bundle).toSorted()));
    },
  };
}
