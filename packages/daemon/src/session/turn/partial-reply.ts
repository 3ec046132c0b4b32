import type { Usage } from "@baton/core/protocol/call";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { ModelPart } from "../../model/model-port.ts";

/** What is kept of a reply that did not come to its end: its text, and what it has used. */
export const partialReply = (step: number, text: string, usage: Usage | undefined): SessionEvent[] => [
  ...(text === "" ? [] : [{ type: "model.kept" as const, step, text }]),
  ...(usage ? [{ type: "model.spent" as const, step, usage }] : []),
];

/** Listens to a model that nobody watches, for what its reply has used should it break off. */
export function trackPartialUsage(): { onPart: (part: ModelPart) => void; spent: () => Usage | undefined } {
  let soFar: (() => Usage | undefined) | undefined;
  return {
    onPart: (part) => {
      if (part.type === "spending") soFar = part.soFar;
    },
    spent: () => soFar?.(),
  };
}
