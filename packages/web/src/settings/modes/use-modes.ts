import { useEffect, useState } from "react";
import type { Api } from "../../connection/connection.ts";
import { runDetached } from "@baton/core/client/run-detached";
import { errorMessage } from "@baton/core/client/errors";
import { useApp, useConnected } from "../../store/app-context.ts";

export type ModeList = Awaited<ReturnType<Api["mode"]["list"]["query"]>>;
/** A mode with where it lies and what it stands in front of. */
export type ListedMode = ModeList["modes"][number];
export type Diagnostic = ModeList["diagnostics"][number];

/** Among the modes of a folder: one that does not count yet may have the slug of one that does. */
export const modeKey = ({ slug, inert }: Pick<ListedMode, "slug" | "inert">): string => (inert ? `${slug} ${inert}` : slug);

/** The modes of a folder with their files, asked anew at each connection and when somebody comes back to the page. */
export function useModeList(cwd: string): { listed: ModeList | undefined; problem: string | undefined; load: () => Promise<void> } {
  const { link, lists } = useApp();
  const connected = useConnected();
  const [listed, setListed] = useState<ModeList>();
  const [problem, setProblem] = useState<string>();
  const list = async () => {
    setListed(await link.api.mode.list.query({ cwd }));
    setProblem(undefined);
  };
  const failed = (error: unknown) => setProblem(errorMessage(error));
  /** Here, and wherever else on the page modes are named. */
  const load = async () => void (await Promise.all([list(), lists.refresh()]).catch(failed));
  useEffect(() => {
    if (!connected) return undefined;
    const look = () => runDetached(load(), failed);
    runDetached(list(), failed);
    addEventListener("focus", look); // files may have been changed meanwhile
    return () => removeEventListener("focus", look);
  }, [connected, cwd]);
  return { listed, problem, load };
}
