import { openSessionView } from "@baton/core/client/session-view";
import type { Home } from "./home.ts";

/** Takes the only session back to before its nth prompt, as another client does. */
export async function rewindToPrompt(home: Home, nth: number): Promise<void> {
  const { api, close } = await home.connect();
  const [session] = await api.session.list.query({});
  const view = await openSessionView(api, session?.id ?? "", { onChange: () => undefined, onError: () => undefined });
  const prompt = view.transcript.entries.filter(({ kind }) => kind === "prompt")[nth];
  view.close();
  const wish = { type: "rewind" as const, promptId: prompt?.id ?? "" };
  await api.session.send.mutate({ sessionId: view.id, commandId: crypto.randomUUID(), wish });
  await close();
}
