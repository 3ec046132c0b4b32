import { expect, test } from "vitest";
import { PromptLine } from "./prompt-line.ts";

const lineWith = (...entries: string[]): PromptLine => new PromptLine({ entries, add: () => undefined });

test("Up and Down move through the history only from the first and the last row", () => {
  const line = lineWith("first", "second");
  line.setText("a\nb");
  line.moveRow("up", 40);
  expect(line.input).toEqual({ text: "a\nb", cursor: 1 });
  line.moveRow("up", 40);
  expect(line.text).toBe("second");
  line.moveRow("up", 40);
  line.moveRow("up", 40);
  expect(line.text).toBe("first");
  line.moveRow("down", 40);
  line.moveRow("down", 40);
  expect(line.text).toBe("");
});

test("a search shows the newest match first and can restore the line", () => {
  const line = lineWith("fix the build", "run tests", "fix the docs");
  line.setText("draft");
  expect(line.findInHistory("FIX", 0)).toBe(true);
  expect(line.text).toBe("fix the docs");
  line.findInHistory("FIX", 1);
  expect(line.text).toBe("fix the build");
  expect(line.findInHistory("nothing", 0)).toBe(false);
  line.endSearch({ restore: true });
  expect([line.text, line.search]).toEqual(["draft", undefined]);
});

test("a request sets the draft aside, and the text for the request disappears with the request", () => {
  const line = lineWith();
  line.setText("a prompt");
  line.setAside();
  line.setTarget("request");
  line.edit({ name: "x", text: "x" }, undefined);
  expect([line.text, line.answers("request")]).toEqual(["x", true]);
  line.restore();
  expect([line.text, line.answers("request")]).toEqual(["a prompt", false]);
});

test("a backslash before the cursor becomes a line break", () => {
  const line = lineWith();
  line.setText("one\\");
  expect(line.breakLine()).toBe(true);
  expect(line.text).toBe("one\n");
  expect(line.breakLine()).toBe(false);
});
