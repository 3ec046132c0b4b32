import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { style } from "../../../test/support/render-fixtures.ts";
import { pageLines, topicLines } from "./help.ts";
import { joinParagraphs } from "./join-paragraphs.ts";
import { pageForTerminal } from "./help-page-markdown.ts";
import { findTopic, readTopics, suggestTopics } from "./read-topics.ts";

const topics = readTopics();
const names = topics.map(({ name }) => name);

test("the manual lists its pages as topics, except decisions and reports", () => {
  expect(names).toEqual(expect.arrayContaining(["permissions", "settings", "guides/undo", "reference/commands"]));
  expect(names.filter((name) => /decisions|reports|README/.test(name))).toEqual([]);
  expect(topics.filter(({ title, name }) => title === name || title === "")).toEqual([]);
});

test("a page is found by its name, even without its folder if only one page has that name", () => {
  expect(findTopic("permissions", topics)?.name).toBe("permissions");
  expect(findTopic("undo", topics)?.name).toBe("guides/undo");
  expect(findTopic("Undo.md", topics)?.name).toBe("guides/undo");
  expect(findTopic("nothing-like-it", topics)).toBeUndefined();
});

test("a name with a typo suggests the pages that it resembles", () => {
  expect(suggestTopics("permisions", names)[0]).toBe("permissions");
  expect(suggestTopics("zzzzzzzz", names)).toEqual([]);
});

test("the list has one line for each topic", () => {
  const lines = topicLines(topics, style(80, "plain"));
  for (const { name, title } of topics) expect(lines).toContain(`  ${name.padEnd(26)} ${title}`);
});

test("every page has a text, and its prose fits into 80 columns", () => {
  for (const topic of topics) expect(pageLines(topic, style(80, "plain")).length).toBeGreaterThan(3);
  const concepts = findTopic("concepts", topics);
  const prose = concepts ? pageLines(concepts, style(80, "plain")).filter((line) => !line.startsWith("  ")) : [];
  expect(prose.length).toBeGreaterThan(50);
  expect(prose.filter((line) => line.length > 80)).toEqual([]);
});

test("lines of a paragraph are joined, and lines of code, lists and tables are not", () => {
  const text = "# Title\nOne\ntwo.\n\n- a\n  b\n- c\n\n```\nx\ny\n```\n| a |\n| b |\n1. d\n   e";
  expect(joinParagraphs(text)).toBe("# Title\nOne two.\n\n- a b\n- c\n\n```\nx\ny\n```\n| a |\n| b |\n1. d e");
});

test("links to pages become commands, other links keep their address or their label", () => {
  const page = (text: string) => pageForTerminal(text, "guides/undo");
  expect(page("One.\n\n![A picture](../images/x.png)\n\nTwo.")).toBe("One.\n\nTwo.");
  expect(page("<!-- x -->\n\nSee [rules](../permissions.md#rules).")).toBe("See rules (`baton help permissions`).");
  expect(page("[ci](ci.md), [up](#top), [VS Code](../../packages/vscode/README.md)")).toBe("ci (`baton help guides/ci`), up, VS Code");
  expect(page("[semver](https://semver.org/)")).toBe("[semver](https://semver.org/)");
});

test("every page that a link in the terminal names exists", () => {
  const linked = topics.flatMap((topic) =>
    Array.from(
      pageForTerminal(readFileSync(topic.file, "utf8"), topic.name).matchAll(/\(`baton help ([^`]+)`\)/g),
      ([, page = ""]) => page,
    ),
  );
  expect(linked.length).toBeGreaterThan(50);
  expect(linked.filter((page) => !names.includes(page))).toEqual([]);
});
