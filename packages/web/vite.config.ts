import { defineConfig, type Plugin } from "vite";

/** One page without inline code: the daemon serves it under a policy that allows none. */
export default defineConfig({
  base: "./", // the daemon serves it at its root, an editor from a folder of its own
  plugins: [plainFontName()],
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

/** The icons' style sheet asks for its font with a query; the name of the built file says its version already. */
function plainFontName(): Plugin {
  return {
    name: "plain-font-name",
    enforce: "pre",
    transform: (code, id) => (id.endsWith("/codicon.css") ? code.replace(/\.ttf\?\w+/, ".ttf") : undefined),
  };
}
