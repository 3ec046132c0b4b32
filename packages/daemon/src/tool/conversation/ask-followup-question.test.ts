import { expect, test } from "vitest";
import { askFollowupQuestion as tool } from "./ask-followup-question.ts";
import { inMode } from "../test/ask-context-fixture.ts";

const ask = (input: unknown) => (tool.kind === "asking" ? tool.ask(input, inMode("code")) : undefined);

const labels = (input: unknown): unknown => {
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  const question = ask(parsed.data);
  return question && "choices" in question && question.choices.map(({ label }) => label);
};

test("a question has a choice for every suggested answer, and a field for another one", () => {
  const input = tool.input.parse({ question: " Which one? ", follow_up: [{ text: "The first" }, { text: "The last", mode: "code" }] });
  expect(ask(input)).toEqual({
    kind: "question",
    header: "Question",
    text: "Which one?",
    choices: [
      { id: "1", label: "The first" },
      { id: "2", label: "The last" },
    ],
    freeText: true,
  });
});

test("the answer is the chosen text or the user's own text, with the user's note", () => {
  const input = tool.input.parse({ question: "Which?", follow_up: [{ text: "The first" }, { text: "The last" }] });
  const answered = (answer: object) => tool.kind === "asking" && tool.answered(input, answer, inMode("code")).text;
  expect(answered({ choice: "2" })).toBe("The last");
  expect(answered({ text: "Neither" })).toBe("Neither");
  expect(answered({ choice: "1", note: "quickly" })).toBe("The first\nquickly");
});

test.each([
  ["texts", ["a", "b"], ["a", "b"]],
  [
    "objects with a mode",
    [
      { text: "a", mode: "code" },
      { text: "b", mode: "" },
    ],
    ["a", "b"],
  ],
  ["older names", [{ answer: "a" }, { suggest: "b" }], ["a", "b"]],
  ["one text", [{ text: "a" }], ["a"]],
  ["empty ones among others", [{ text: " a " }, { text: " " }], ["a"]],
  ["elements", '<suggest mode="code">a</suggest>\n<suggest>b</suggest>', ["a", "b"]],
  ["one element", "<suggest>a</suggest>", ["a"]],
  ["elements in their parent", "<follow_up>\n<suggest>a</suggest><suggest/>\n</follow_up>", ["a"]],
  ["entities", "<suggest>a &lt; b &amp;&amp; &#99; &#x64; &quot;</suggest>", ['a < b && c d "']],
  ["elements as they are parsed", { suggest: [{ "#text": "a", "@_mode": "code" }, "b"] }, ["a", "b"]],
  ["one element as it is parsed", { suggest: "a" }, ["a"]],
  ["a list as JSON text", '[{"text":"a"},{"text":"b"}]', ["a", "b"]],
])("%s are understood", (_, followUp, expected) => {
  expect(labels({ question: "q", follow_up: followUp })).toEqual(expected);
});

const few = ["follow_up: needs 2 to 4 suggested answers, each with a text"];
const none = ["follow_up: is not a list of answers: send an array of objects with a text"];

test.each([
  ["no list", { question: "q" }, none],
  ["an empty list", { question: "q", follow_up: [] }, few],
  ["only empty answers", { question: "q", follow_up: [{ text: " " }] }, few],
  ["five answers", { question: "q", follow_up: ["1", "2", "3", "4", "5"] }, few],
  ["an element that is not closed", { question: "q", follow_up: "<suggest>a</suggest><suggest>b" }, none],
  ["an element in another", { question: "q", follow_up: "<suggest>a<suggest>b</suggest>" }, none],
  ["text beside elements", { question: "q", follow_up: "or <suggest>a</suggest>" }, none],
  ["an answer without text", { question: "q", follow_up: [{ label: "a" }] }, none],
  ["a blank question", { question: "  ", follow_up: ["a", "b"] }, ["question: must not be empty"]],
  ["no question", { follow_up: ["a", "b"] }, ["question: Invalid input: expected string, received undefined"]],
])("%s is told by the name of the field", (_, input, expected) => {
  expect(labels(input)).toEqual(expected);
});

test("a hostile list is read within a moment", () => {
  const began = performance.now();
  labels({ question: "q", follow_up: "<suggest>".repeat(50_000) });
  labels({ question: "q", follow_up: `<suggest${" a=''".repeat(50_000)}` });
  labels({ question: "q", follow_up: "<suggest></suggest>".repeat(5_000) });
  expect(performance.now() - began).toBeLessThan(10_000);
});
