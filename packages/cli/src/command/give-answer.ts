import type { Answer, Request } from "@baton/core/protocol/request";
import { insist, newCommandId } from "@baton/daemon/client";
import type { Api } from "./link.ts";

/** Answers a request for exactly what was shown of it, over lost connections. Throws what the daemon refuses. */
export async function giveAnswer(api: Api, { id, hash }: Pick<Request, "id" | "hash">, answer: Answer): Promise<void> {
  const commandId = newCommandId();
  const bound = hash === undefined ? answer : { ...answer, hash };
  await insist(() => api.request.answer.mutate({ commandId, requestId: id, answer: bound }));
}
