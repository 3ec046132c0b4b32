import type { Rule } from "@baton/core/protocol/rule";

/** What has been typed towards an answer that is not given yet. */
export type AnswerDraft = {
  rule?: Rule;
  note?: string;
  text?: string;
  typing?: "rule" | "note";
  full?: boolean;
  fields?: Readonly<Record<string, string>>;
};
