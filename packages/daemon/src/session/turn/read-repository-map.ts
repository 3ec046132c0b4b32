import { callPorts } from "../calls/run/call-ports.ts";
import type { EffectContext } from "../effects/effect-context.ts";

/** The part of a prompt that the map is about, in characters. */
const MAX_QUERY = 2_000;

/** The map of the repository for a session: the files that matter for its prompt, as far as the agent may read them. Empty if there is none. */
export async function readRepositoryMap(session: Pick<EffectContext, "id" | "services" | "state" | "log">): Promise<string> {
  const { id, services, state } = session;
  const { workspace, compactions } = state;
  let search: ReturnType<typeof callPorts>["search"] | undefined;
  const mayShow = (relative: string): boolean => {
    search ??= callPorts(undefined, state, services).search;
    return search.mayShow(relative);
  };
  const newestPrompt = async (): Promise<string | undefined> => {
    const prompt = (await session.log.messages()).findLast(({ role }) => role === "user");
    return prompt?.role === "user" ? prompt.text.slice(0, MAX_QUERY) : undefined;
  };
  return services.codeIndex.map({ id, workspace, compactions }, newestPrompt, mayShow);
}
