import { answerDeadline } from "../../protocol/request-traits.ts";
import type { Request } from "../../protocol/request.ts";
import { formatAge } from "../format.ts";

/** How long a request has waited, or the time that is left if it closes without an answer: `52 s`, `38 s left`. */
export function waitingTimeText(request: Pick<Request, "subject" | "openedAt">, now: number): string {
  const deadline = answerDeadline(request);
  return deadline === undefined ? formatAge(now - request.openedAt) : `${formatAge(deadline - now)} left`;
}
