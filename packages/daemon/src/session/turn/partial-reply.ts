import type { TokenUsage } from "@baton/core/protocol/tool-call";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { ModelPart } from "../../model/model-port.ts";

/** The events that keep a partial reply: its text and its usage. */
export const partialReplyEvents = (step: number, text: string, usage: TokenUsage | undefined): SessionEvent[] => [
  ...(text === "" ? [] : [{ type: "model.kept" as const, step, text }]),
  ...(usage ? [{ type: "model.spent" as const, step, usage }] : []),
];

/** Tracks the usage of a model reply that nobody watches, in case it breaks off. */
export function trackPartialUsage(): { onPart: (part: ModelPart) => void; spent: () => TokenUsage | undefined } {
  let soFar: (() => TokenUsage | undefined) | undefined;
  return {
    onPart: (part) => {
      if (part.type === "spending") soFar = part.soFar;
    },
    spent: () => soFar?.(),
  };
}
