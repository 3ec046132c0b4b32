import type { ElicitRequestURLParams } from "@modelcontextprotocol/client";
import type { Elicit } from "./elicitation.ts";

/** The code of "a person has to open an address first". */
const OPEN_FIRST = -32_042;

/**
 * Makes a call that the server may refuse until a person has opened an address: asks for each address, and makes it once
 * more. Throws where the person would not.
 */
export async function retryAfterUrlElicitation<T>(call: () => Promise<T>, elicit: Elicit): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const wanted = wantedOf(error);
    if (wanted.length === 0) throw error;
    for (const params of wanted) {
      const { action } = await elicit({ ...params, mode: "url" });
      if (action !== "accept") throw new Error("The person did not open the address that the server wants opened first.", { cause: error });
    }
    return call();
  }
}

function wantedOf(error: unknown): ElicitRequestURLParams[] {
  if (!(error instanceof Error) || !("code" in error) || error.code !== OPEN_FIRST || !("data" in error)) return [];
  const { elicitations } = (error.data ?? {}) as { elicitations?: unknown }; // nobody has checked what it says
  return Array.isArray(elicitations) ? elicitations.filter(isWanted) : [];
}

const isWanted = (given: unknown): given is ElicitRequestURLParams =>
  typeof given === "object" && given !== null && "url" in given && typeof given.url === "string" && "message" in given;
