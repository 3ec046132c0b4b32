import { useState } from "react";
import { errorMessage } from "@baton/core/client/errors";

/** Deeds of a form, one at a time. One that fails leaves the form as it is and says why. */
export function useMutation(): { problem: string | undefined; busy: boolean; act: (deed: () => Promise<void>) => void } {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const act = (deed: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    deed()
      .catch((error: unknown) => setProblem(errorMessage(error)))
      .finally(() => setBusy(false));
  };
  return { problem, busy, act };
}
