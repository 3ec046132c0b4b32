import type { Mode } from "@baton/core/protocol/mode";
import { createContext, useContext, useEffect, useState } from "react";
import { useApp, useObservableValue } from "./app-context.ts";

/** The folder of what is drawn, as a folder may have modes of its own. */
export const FolderContext = createContext("");

/** The modes of the folder of what is drawn. */
export function useModes(): readonly Mode[] {
  return useObservableValue(useApp().lists.modesIn(useContext(FolderContext)));
}

export type Trust = "trusted" | "restricted" | "unknown";

/** Whether a folder is trusted; asked anew when `asked` changes, and after `say`. Undefined until it is known. */
export function useTrust(folder: string, asked: boolean): { trust: Trust | undefined; say: (trusted: boolean) => Promise<void> } {
  const { link, commands, lists } = useApp();
  const [trust, setTrust] = useState<Trust>();
  const [said, setSaid] = useState(0);
  useEffect(() => {
    let wanted = true;
    link.api.workspace.status.query({ cwd: folder }).then(
      (status) => wanted && setTrust(status.trust),
      () => undefined, // a folder that is gone
    );
    return () => void (wanted = false);
  }, [link, folder, asked, said]);
  const say = async (trusted: boolean) => {
    await commands.trust(folder, trusted);
    setSaid((n) => n + 1);
    await lists.refresh(); // its modes count now, or no more
  };
  return { trust, say };
}
