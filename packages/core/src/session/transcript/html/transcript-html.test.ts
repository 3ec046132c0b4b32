import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { LoggedEvent } from "../../../protocol/event.ts";
import { transcriptHtml } from "./transcript-html.ts";

const logs = readFileSync(new URL("../../../../test/recorded-logs.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as LoggedEvent[]);

const facts = { id: "k3m9x2abcd", title: "A <title>", workspace: "/w", createdAt: 1 };
const page = (events: readonly LoggedEvent[], title = facts.title) => transcriptHtml({ ...facts, title }, events, () => "today");

test("every recorded session becomes a page that runs no code and loads nothing", () => {
  for (const events of logs) {
    const { html } = page(events);
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain("<title>A &lt;title&gt;</title>");
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(script|img|link|iframe|object|embed|form|base)\b|\ssrc=|@import|url\(/i);
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toContain('name="viewport"');
    expect(html).toContain("@media print");
  }
});

/** A recorded session in which this text replaces every text of the user, the model and the tools. */
function saying(text: string): LoggedEvent[] {
  const longest = logs.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return longest.map((event) => {
    if (event.type === "prompt.received") return { ...event, text };
    if (event.type === "model.replied")
      return { ...event, text, calls: event.calls.map((call) => ({ ...call, label: { ...call.label, object: text } })) };
    if (event.type !== "tool.finished") return event;
    return {
      ...event,
      result: { ...event.result, text, end: text, view: { type: "terminal", head: text, tail: "", omittedLines: 0, exitCode: 0 } },
    };
  });
}

test("no text of a session becomes markup", () => {
  const { html } = page(saying(`</pre></main><script>alert(1)</script><svg onload="alert(2)">`));
  expect(html).not.toMatch(/<script|<svg/);
  expect(html).toContain("&lt;script&gt;");
});

test("secrets are masked wherever they occur, and the page shows their number", () => {
  const secret = `sk-ant-api03-${"a1".repeat(30)}`;
  const { html, masked } = page(saying(`use ${secret} here`), `The key ${secret}`);
  expect(html).not.toContain("a1a1a1");
  expect(masked).toBeGreaterThan(4);
  expect(html).toContain(`${masked} secrets are masked.`);
  expect(page(saying("nothing"), "x").masked).toBe(0);
});
