import { expect, test } from "vitest";
import { style } from "../../test/support/render-fixtures.ts";
import { markdown } from "./markdown.ts";

const TEXT = `# Heading

Some **strong** and \`code\` text that goes on, see [the docs](https://example.org/x) and [https://a.example](https://a.example).

- one item that is long enough to break
- two
1. first

> quoted

\`\`\`ts
const  x = "[not](a link)";
\`\`\`
end`;

test("markdown is drawn without markup, and each link shows its target", () => {
  expect(markdown(TEXT, style(80, "plain"), 34)).toEqual([
    "Heading",
    "",
    "Some strong and `code` text that",
    "goes on, see the docs",
    "(https://example.org/x) and",
    "https://a.example.",
    "",
    "• one item that is long enough to",
    "  break",
    "• two",
    "1. first",
    "",
    "│ quoted",
    "",
    '  const  x = "[not](a link)";',
    "end",
  ]);
});

test("an image is drawn as its address, and the terminal loads nothing", () => {
  expect(markdown("![logo](https://tracker.example/p.gif)", style(80, "plain"), 60)).toEqual(["logo (https://tracker.example/p.gif)"]);
});

const LONG = `curl -fsSL https://example.test/${"path/".repeat(40)}install.sh | bash -s -- --flag`;

test.each([20, 34, 72, 120])("code and addresses stay whole at %i columns, so that the user can copy them", (columns) => {
  const address = `https://example.test/${"x".repeat(200)}`;
  const lines = markdown(`See ${address} for more.\n\n\`\`\`sh\n${LONG}\n\tindented\n\`\`\``, style(80, "plain"), columns);
  expect(lines).toContain(`  ${LONG}`);
  expect(lines).toContain("      indented");
  expect(lines.some((line) => line.includes(address))).toBe(true);
});

const TABLE = "| Name | **Count** |\n|:--|--:|\n| a \\| b | 1 |\n| long name | 1,000 |\nafter";

test("a table is drawn in columns, and as a list if the screen is too narrow", () => {
  expect(markdown(TABLE, style(80, "plain"), 40)).toEqual([
    "Name       Count",
    "─────────  ─────",
    "a | b      1",
    "long name  1,000",
    "after",
  ]);
  expect(markdown(TABLE, style(80, "plain"), 12)).toEqual(["• a | b", "  Count: 1", "• long name", "  Count:", "  1,000", "after"]);
  expect(markdown("| only |", style(80, "plain"), 40)).toEqual(["only"]);
});
