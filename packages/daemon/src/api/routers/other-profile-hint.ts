import type { EndpointProfiles } from "../../mcp/endpoint/endpoint-profiles.ts";

/**
 * The answer about a toolset that a profile does not have, with where a person did build it and what to type; any other
 * answer as it is. Agents of the endpoint are not told: what other profiles hold is none of theirs.
 */
export async function otherProfileHint(
  answer: Record<string, unknown>,
  name: unknown,
  profile: string,
  { holding }: EndpointProfiles,
): Promise<Record<string, unknown>> {
  if (answer["code"] !== "not_found" || typeof name !== "string") return answer;
  const found = await holding(name);
  if (!found) return answer;
  const tools = found.toolset.tools.map((pin) => pin.name).join(" ");
  const message =
    `There is no toolset ${name} in the profile ${profile}: it was built in the profile ${found.profile}. ` +
    `Each profile has its own; to build it here too: baton toolsets build ${name} ${tools} --profile ${profile}`;
  return { ...answer, message, suggestions: [] };
}
