import type { SitePage } from "./pages.ts";

type Item = { text: string; link: string };
type Section = { text: string; collapsed?: boolean; items: Item[] };

const GUIDES = [
  "plan-first",
  "fewer-questions",
  "find",
  "diagnostics",
  "code-search",
  "environments",
  "background",
  "terminals",
  "edits",
  "undo",
  "delegate",
  "parallel-work",
  "hooks",
  "tools",
  "plugins",
  "provider-keys",
  "web-search",
  "local-model",
  "write-a-mode",
  "mcp-server",
  "share-tools",
  "ci",
  "status-line",
  "browser",
  "several-machines",
];

/** The sections of the sidebar in their order. `*` stands for all pages of a folder that no other section names. */
const SECTIONS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  [
    "Start",
    [
      "index",
      "docs/install",
      "docs/platforms",
      "docs/quickstart",
      "docs/concepts",
      "docs/faq",
      "docs/troubleshooting",
      "docs/upgrade",
      "docs/uninstall",
    ],
  ],
  ["Guides", GUIDES.map((name) => `docs/guides/${name}`)],
  [
    "Configure",
    ["docs/settings", "docs/models", "docs/modes", "docs/permissions", "docs/mcp", "docs/store", "docs/acp", "packages/vscode/index"],
  ],
  ["Reference", ["docs/reference/*"]],
  ["From another agent", ["docs/migrate", "docs/migrate/*"]],
  ["Understand", ["docs/architecture", "docs/security", "docs/privacy"]],
  ["Build on Baton", ["docs/clients", "docs/protocol", "docs/scripts"]],
  ["Contribute", ["docs/index", "CONTRIBUTING", "AGENTS", "docs/style", "docs/release", "CHANGELOG"]],
  ["Reports", ["docs/reports/*"]],
  ["Decisions", ["docs/decisions/*"]],
];

const COLLAPSED = new Set(["Reports", "Decisions"]);

/** The sidebar. Throws if a page is in no section, or a section names a page that does not exist. */
export function sidebarOf(pages: readonly SitePage[]): Section[] {
  const byName = new Map(pages.map((page) => [page.target.replace(/\.md$/, ""), page]));
  const missing = new Set(byName.keys());
  const sections = SECTIONS.map(([text, names]): Section => {
    const items = names
      .flatMap((name) => expand(name, [...byName.keys()]))
      .map((name): Item => {
        const page = byName.get(name);
        if (!page) throw new Error(`The section ${text} names ${name}, which is no page.`);
        missing.delete(name);
        return { text: page.title, link: `/${name.replace(/(^|\/)index$/, "$1")}` };
      });
    return { text, items, ...(COLLAPSED.has(text) ? { collapsed: true } : {}) };
  });
  if (missing.size > 0) throw new Error(`These pages are in no section of tools/site/sidebar.ts: ${[...missing].join(", ")}.`);
  return sections;
}

const expand = (name: string, all: readonly string[]): string[] =>
  name.endsWith("/*") ? all.filter((each) => each.startsWith(name.slice(0, -1))) : [name];
