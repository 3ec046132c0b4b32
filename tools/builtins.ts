import { isBuiltin } from "node:module";
import type { Plugin } from "rolldown";

/** Modules that packages import at their start and most programs never use. They load on first use. */
const LATE = new Set(["https", "tls", "zlib"]);

const PREFIX = "\0builtin:";

/**
 * Takes Node's own modules by `process.getBuiltinModule`, and only the names that are used. Imported as an ES module, each of
 * them evaluates all of its exports, including lazy ones: `node:process` alone opens standard input and output and loads
 * networking and file streams. That was a tenth of the daemon's start.
 */
export function builtinsByName(): Plugin {
  return {
    name: "builtins-by-name",
    resolveId(id, _, { kind }) {
      const name = id.replace(/^node:/, "");
      if (!isBuiltin(id) || (kind !== "import-statement" && kind !== "require-call")) return undefined;
      return { id: `${PREFIX}${kind === "require-call" ? "require:" : ""}${name}`, moduleSideEffects: false };
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      const [name = "", required] = id.slice(PREFIX.length).split(":").toReversed();
      const taken = `process.getBuiltinModule("node:${name}")`;
      if (required === undefined) return { code: esModule(name, taken), moduleType: "js" };
      if (!LATE.has(name)) return { code: `module.exports = ${taken};`, moduleType: "js" };
      return { code: `module.exports = new Proxy({}, { get: (_, key) => ${taken}[key] });`, moduleType: "js" };
    },
  };
}

function esModule(name: string, taken: string): string {
  const names = Object.keys(process.getBuiltinModule(`node:${name}`) ?? {}).filter(
    (each) => /^[A-Za-z_$][\w$]*$/.test(each) && each !== "default",
  );
  return [
    `const builtin = /* @__PURE__ */ ${taken};`,
    "export default builtin;",
    ...names.map((each) => `const $${each} = builtin.${each};`),
    `export { ${names.map((each) => `$${each} as ${each}`).join(", ")} };`,
  ].join("\n");
}
