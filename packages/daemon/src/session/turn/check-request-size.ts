import type { Message } from "@baton/core/session/context/build-messages";
import { formatNumber } from "@baton/core/text/format";
import type { ModelFailure, ModelRequest } from "../../model/model-port.ts";
import type { SessionModels } from "../session-dependencies.ts";

/** Hardly any text has more characters per token, so that a request above this size certainly does not fit. */
const MAX_CHARACTERS_PER_TOKEN = 6;

/**
 * The failure of a request that certainly exceeds what its model can read. Baton does not send such a request, because some servers cut it
 * without an error. Undefined if it may fit, or if the model's window is unknown. Images are not counted.
 */
export function requestSizeFailure(
  model: string,
  { system, messages, tools }: Pick<ModelRequest, "system" | "messages" | "tools">,
  { facts }: Pick<SessionModels, "facts">,
): ModelFailure | undefined {
  const { maxInput, contextWindow } = facts(model) ?? {};
  const window = maxInput ?? contextWindow;
  if (window === undefined) return undefined;
  const characters = messages.reduce((sum, message) => sum + charactersIn(message), system.length + JSON.stringify(tools).length);
  const least = Math.ceil(characters / MAX_CHARACTERS_PER_TOKEN);
  if (least <= window) return undefined;
  return {
    code: "overflow",
    message: `Baton did not send this request: it has at least ${formatNumber(least)} tokens, and ${model} reads at most ${formatNumber(window)}.`,
  };
}

function charactersIn(message: Message): number {
  switch (message.role) {
    case "user":
      return message.text.length;
    case "assistant":
      return message.text.length + JSON.stringify(message.calls).length;
    case "tool":
      return message.results.reduce((sum, { text }) => sum + text.length, 0);
  }
}
