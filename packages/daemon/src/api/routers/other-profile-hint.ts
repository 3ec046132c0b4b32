import type { EndpointProfiles } from "../../mcp/endpoint/endpoint-profiles.ts";

/**
 * Extends the answer about a missing toolset with the profile in which the user built it, and the command to build it here.
 * Agents of the endpoint do not learn about other profiles.
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
    `There is no toolset ${name} in the profile ${profile}. It was built in the profile ${found.profile}. ` +
    `Each profile has its own toolsets. To build it here too: baton toolsets build ${name} ${tools} --profile ${profile}`;
  return { ...answer, message, suggestions: [] };
}
