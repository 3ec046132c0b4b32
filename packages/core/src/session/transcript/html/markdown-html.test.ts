import { expect, test } from "vitest";
import { markdownHtml } from "./markdown-html.ts";

test.each([
  ["a\nb\n\nc", "<p>a<br>\nb</p>\n<p>c</p>"],
  ["## Head *it*", "<h4>Head <em>it</em></h4>"],
  ["- a\n  - b\n- c", '<ul><li>a</li><li class="level1">b</li><li>c</li></ul>'],
  ["1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"],
  ["```ts\nif (a < b) **x**\n```\nafter", "<pre><code>if (a &lt; b) **x**</code></pre>\n<p>after</p>"],
  ["```\nnever closed", "<pre><code>never closed</code></pre>"],
  ["> a\n> b", "<blockquote><p>a<br>\nb</p></blockquote>"],
  [
    "| a | b |\n|---|---|\n| 1 | `x` |",
    '<div class="wide"><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><code>x</code></td></tr></table></div>',
  ],
  ["**b** and `a * b * c` and 2 * 3 * 4", "<p><strong>b</strong> and <code>a * b * c</code> and 2 * 3 * 4</p>"],
  ["[t](https://e.org/?a=1&b=2)", '<p><a href="https://e.org/?a=1&amp;b=2" rel="noreferrer">t</a></p>'],
  ["---", "<hr>"],
])("%j", (source, html) => {
  expect(markdownHtml(source)).toBe(html);
});

test.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[x](javascript:alert(1))",
  "![x](https://e.org/x.png)",
  '[x](https://e.org/"onclick="alert(1))',
  "`<b>`",
  "| <i> |",
  "> <b>\n- <u>",
])("%j does not become an element of its own", (source) => {
  const tags = [...markdownHtml(source).matchAll(/<\/?(\w+)([^>]*)>/g)];
  const allowed = new Set(["p", "br", "a", "code", "blockquote", "ul", "li", "div", "table", "tr", "td"]);
  expect(tags.filter(([, tag = ""]) => !allowed.has(tag))).toEqual([]);
  expect(tags.filter(([, , attributes = ""]) => /on\w+=|javascript:|src=/.test(attributes.replace(/"[^"]*"/g, '""')))).toEqual([]);
});
