import { toolFields } from "@baton/core/tool/tool-table";
import type { RequestAnswer } from "@baton/core/protocol/request";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { askingTool, inputField, ok } from "../tool-types.ts";
import { escapeHidden } from "../result-text.ts";
import { normalizeSuggestions } from "./normalize-suggestions.ts";

const FEW = "needs 2 to 4 suggested answers, each with a text";

/** The schema asks for 2 to 4 texts. Older forms are accepted too, and so is a single answer. */
const followUp = z.preprocess(
  normalizeSuggestions,
  z
    .array(z.strictObject({ text: z.string().describe("an answer that the user can choose unchanged") }), FEW)
    .min(1, FEW)
    .max(4, FEW)
    .meta({ minItems: 2, description: "2 to 4 suggested answers" }),
);

export const askFollowupQuestion = askingTool({
  ...toolFields("ask_followup_question"),
  description: "Ask the user a question whose answer you need to continue. Each suggested answer must be complete and actionable.",
  input: toolArguments({
    question: z
      .string()
      .trim()
      .refine((text) => text !== "", "must not be empty")
      .describe("a clear, specific question"),
    follow_up: followUp,
  }),
  label: (input) => ({ verb: "ask", object: escapeHidden(inputField(input, "question")) }),
  access: () => [{ action: "question", resource: "ask_followup_question" }],
  ask: ({ question, follow_up: answers }) => ({
    kind: "question",
    header: "Question",
    text: question,
    choices: answers.map(({ text }, i) => ({ id: String(i + 1), label: text })),
    freeText: true,
  }),
  answered: ({ follow_up: answers }, answer) => {
    const answerLines = [answerText(answers, answer), answer.note ?? ""].filter((part) => part.trim() !== "").join("\n");
    return ok(answerLines, { view: { type: "text", text: answerLines, format: "plain" } });
  },
});

const answerText = (answers: readonly { text: string }[], { choice, text }: RequestAnswer): string =>
  (choice === undefined ? undefined : answers[Number(choice) - 1]?.text) ?? text ?? "";
