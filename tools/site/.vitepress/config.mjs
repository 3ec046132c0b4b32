import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitepress";

/** The anchors of headings as GitHub builds them, so that links work there and here. */
const githubAnchor = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const sidebar = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../staged/sidebar.json"), "utf8")); // main.mjs writes it

// VitePress reads the default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  title: "Baton",
  description: "Coding agents on your machine that ask before they act.",
  srcDir: "staged",
  head: [["link", { rel: "icon", href: "/icon.svg" }]],
  outDir: path.resolve(import.meta.dirname, "../dist"),
  cacheDir: path.resolve(import.meta.dirname, "../node_modules/.cache/vitepress"),
  markdown: { html: false, anchor: { slugify: githubAnchor }, theme: { light: "github-light", dark: "github-dark" } },
  vite: { logLevel: "warn" },
  themeConfig: {
    search: { provider: "local" },
    sidebar,
    outline: [2, 3],
    nav: [
      { text: "Quickstart", link: "/docs/quickstart" },
      { text: "Guides", link: "/docs/" },
      { text: "Reference", link: "/docs/reference/commands" },
      { text: "FAQ", link: "/docs/faq" },
    ],
  },
});
