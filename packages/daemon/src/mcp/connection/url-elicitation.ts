import type { ElicitRequestURLParams } from "@modelcontextprotocol/client";
import type { Elicit } from "./elicitation.ts";

/** The error code of "URL elicitation required". */
const OPEN_FIRST = -32_042;

/**
 * Makes a call that the server may reject until the user has opened an address. It asks for each address and then makes the call again.
 * Throws if the user declines.
 */
export async function retryAfterUrlElicitation<T>(call: () => Promise<T>, elicit: Elicit): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const wanted = requiredElicitations(error);
    if (wanted.length === 0) throw error;
    for (const params of wanted) {
      const { action } = await elicit({ ...params, mode: "url" });
      if (action !== "accept") throw new Error("The user did not open the address that the server requires.", { cause: error });
    }
    return call();
  }
}

function requiredElicitations(error: unknown): ElicitRequestURLParams[] {
  if (!(error instanceof Error) || !("code" in error) || error.code !== OPEN_FIRST || !("data" in error)) return [];
  const { elicitations } = (error.data ?? {}) as { elicitations?: unknown }; // unchecked data of the server
  return Array.isArray(elicitations) ? elicitations.filter(isElicitation) : [];
}

const isElicitation = (params: unknown): params is ElicitRequestURLParams =>
  typeof params === "object" && params !== null && "url" in params && typeof params.url === "string" && "message" in params;
