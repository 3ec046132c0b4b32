import type { TokenUsage } from "@baton/core/protocol/tool-call";
import { estimateTokens } from "@baton/core/session/context/context-budget";
import { messageTokens } from "@baton/core/session/context/prune-context";
import type { AccumulatedReply } from "./accumulate-reply.ts";
import { withPrice, toTokens, type Price, type TokenCounts } from "./pricing.ts";
import type { ModelRequest } from "./model-port.ts";

/**
 * The usage of an interrupted reply. Providers charge for it, but most report the usage only at the end. `reported` is what the provider has
 * reported so far; Baton estimates the rest and records the number of estimated tokens. Undefined if nothing arrived.
 */
export function estimateUsage(
  reply: AccumulatedReply,
  reported: Partial<TokenCounts> | undefined,
  request: ModelRequest,
  price: Price | undefined,
): TokenUsage | undefined {
  const counted = toTokens(reply.usage);
  if (reply.finish?.raw !== undefined && counted.input > 0) return withPrice(counted, price);
  if (reply.length === 0 && reply.begun.length === 0 && !reported) return undefined;
  const { input, ...cached } =
    reported?.input === undefined ? (request.expected ?? { input: sizeOfRequest(request) }) : { ...reported, input: reported.input };
  const output = reported?.output ?? estimateTokens(reply.length);
  const estimated = (reported?.input === undefined ? input : 0) + (reported?.output === undefined ? output : 0);
  const tokens = { cachedInput: 0, cacheWrite: 0, reasoning: 0, ...cached, input, output };
  return { ...withPrice(tokens, price), ...(estimated === 0 ? {} : { estimated }) };
}

const sizeOfRequest = ({ system, tools, messages }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + messageTokens(message), estimateTokens(system.length + JSON.stringify(tools).length));
