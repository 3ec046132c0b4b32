import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import subsetFont from "subset-font";
import { defineConfig, type Plugin } from "vite";

/** One page without inline code: the daemon serves it under a policy that allows none. */
export default defineConfig({
  base: "./", // the daemon serves it at its root, an editor from a folder of its own
  plugins: [iconFont()],
  resolve: { conditions: ["@baton/source", "module", "browser", "development|production"] },
  build: {
    target: ["chrome123", "firefox126", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // What seldom is wanted takes nothing of what always is wanted out into files of their own: those would cost more than they spare.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] } } },
  },
});

/**
 * Splits the icon font: the icons that the sources name load with the page, and all others when a mode of the user needs one. The
 * font's query goes, because the name of the built file contains its version.
 */
function iconFont(): Plugin {
  return {
    name: "icon-font",
    enforce: "pre",
    async transform(code, id) {
      if (!id.endsWith("/codicon.css")) return undefined;
      const css = code.replace(/\.ttf\?\w+/, ".ttf").replace(/@font-face \{/, "$&\n  unicode-range: U+E000-F8FF;");
      const characters = usedIcons(code);
      const font = await subsetFont(readFileSync(path.join(path.dirname(id), "codicon.ttf")), characters.join(""), {
        targetFormat: "woff2",
      });
      const folder = path.join(import.meta.dirname, "node_modules/.icon-font");
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, "codicon-used.woff2"), font);
      const url = path.relative(path.dirname(id), path.join(folder, "codicon-used.woff2"));
      const range = characters.map((character) => `U+${character.codePointAt(0)?.toString(16)}`).join(", ");
      const face = `@font-face {\n  font-family: "codicon";\n  font-display: block;\n  src: url("./${url}") format("woff2");\n  unicode-range: ${range};\n}`;
      return css.replace(/@font-face \{[^}]*\}/, (whole) => `${whole}\n${face}`); // of two faces the later one comes first
    },
  };
}

/** The characters of the icons that are named in a source. A word that happens to be the name of an icon costs little. */
function usedIcons(css: string): string[] {
  const sources = globSync(["src/**/*.{ts,tsx}", "../core/src/mode/**/*.ts"], { cwd: import.meta.dirname });
  const texts = sources.map((file) => readFileSync(path.join(import.meta.dirname, file), "utf8"));
  const named = new Set(
    texts.flatMap((text) => Array.from(text.matchAll(/"([a-z][a-z0-9-]*)"|codicon-([a-z0-9-]+)/g), ([, name, icon]) => name ?? icon)),
  );
  const icons = Array.from(css.matchAll(/\.codicon-([a-z0-9-]+):before \{ content: "\\([0-9a-f]+)"/g), ([, name = "", code = ""]) => ({
    name,
    code,
  }));
  return [...new Set(icons.filter(({ name }) => named.has(name)).map(({ code }) => String.fromCodePoint(Number.parseInt(code, 16))))];
}
