import type { Usage } from "@baton/core/protocol/call";
import { tokensIn } from "@baton/core/session/context/context-budget";
import { sizeOf } from "@baton/core/session/context/prune-context";
import type { Gathered } from "./accumulate-reply.ts";
import { priced, tokensOf, type Price, type Tokens } from "./pricing.ts";
import type { ModelRequest } from "./model-port.ts";

/**
 * What a reply that did not come to its end has used. The provider takes money for it all the same, and most say how much
 * at the end only, so what it has not `told` is estimated, and how many tokens that are is said. Undefined where nothing has come.
 */
export function spentOn(
  reply: Gathered,
  told: Partial<Tokens> | undefined,
  request: ModelRequest,
  price: Price | undefined,
): Usage | undefined {
  const counted = tokensOf(reply.usage);
  if (reply.finish?.raw !== undefined && counted.input > 0) return priced(counted, price);
  if (reply.length === 0 && reply.begun.length === 0 && !told) return undefined;
  const { input, ...cached } =
    told?.input === undefined ? (request.expected ?? { input: sizeOfRequest(request) }) : { ...told, input: told.input };
  const output = told?.output ?? tokensIn(reply.length);
  const estimated = (told?.input === undefined ? input : 0) + (told?.output === undefined ? output : 0);
  const tokens = { cachedInput: 0, cacheWrite: 0, reasoning: 0, ...cached, input, output };
  return { ...priced(tokens, price), ...(estimated === 0 ? {} : { estimated }) };
}

const sizeOfRequest = ({ system, tools, messages }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + sizeOf(message), tokensIn(system.length + JSON.stringify(tools).length));
