import { expect, test } from "vitest";
import { look } from "./fixtures.ts";
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

test("markdown is drawn plainly, links with their target", () => {
  expect(markdown(TEXT, look(80, "plain"), 34)).toEqual([
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

test("an image is the address that it would load, and nothing is loaded", () => {
  expect(markdown("![logo](https://tracker.example/p.gif)", look(80, "plain"), 60)).toEqual(["logo (https://tracker.example/p.gif)"]);
});
