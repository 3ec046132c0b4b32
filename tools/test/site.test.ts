import { expect, test } from "vitest";
import { sitePages } from "../site/pages.ts";
import { sidebarOf } from "../site/sidebar.ts";

const pages = sitePages();

test("every page of the documents is in one section of the site", () => {
  const links = sidebarOf(pages).flatMap(({ items }) => items.map(({ link }) => link));
  expect(links.length).toBe(pages.length);
  expect(new Set(links).size).toBe(pages.length);
});

test("a page without a section is an error, and so is a section that names no page", () => {
  const more = { source: "docs/new.md", target: "docs/new.md", title: "New", text: "" };
  expect(() => sidebarOf([...pages, more])).toThrow("docs/new");
  expect(() => sidebarOf(pages.filter(({ target }) => target !== "docs/settings.md"))).toThrow("docs/settings");
});

test("links to a README lead to the first page of its folder", () => {
  expect(pages.filter(({ text }) => /\]\([^)]*README\.md/.test(text))).toEqual([]);
  expect(pages.map(({ target }) => target)).toEqual(expect.arrayContaining(["index.md", "docs/index.md", "packages/vscode/index.md"]));
});
