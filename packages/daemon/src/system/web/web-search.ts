import type { SearchServiceName } from "@baton/core/protocol/web-search-service";
import { parseJson } from "@baton/core/text/json";
import { systemFault, type SystemFault } from "../system-fault.ts";
import { searchServices, type SearchResult } from "./search-services.ts";
import { readResponseText, sendRequest, withinTimeLimit, type IsAddressAllowed } from "./web-request.ts";

/** The service that the user configured. `own`: the user named its address, which may be on the user's network. */
export type SearchService = { name: SearchServiceName; address: URL; own: boolean; key: () => Promise<string | undefined> };

export type WebSearcher = {
  /** Finds at most `count` pages. */
  search(query: string, count: number, signal: AbortSignal): Promise<{ service: string; results: SearchResult[] } | SystemFault>;
};

/** Searches with the service that is configured at the time of the search. */
export const openWebSearcher = (service: () => SearchService | undefined, mayReach: IsAddressAllowed): WebSearcher => ({
  async search(query, count, signal) {
    const configured = service();
    if (!configured) return systemFault("failed", "No service for web searches is configured.");
    const { name, address, own } = configured;
    const { title, request, results, keyNames } = searchServices[name];
    const key = await configured.key();
    if (keyNames && key === undefined) return systemFault("failed", `${title} has no key.`);
    const { url, ...how } = request(address, query, count, key ?? "");
    const response = await withinTimeLimit(signal, async (limit) => {
      const answer = await sendRequest(url, own ? () => true : mayReach, limit, how);
      const status = answer.statusCode ?? 0;
      const problem = problemOf(status, title);
      if (problem === undefined) return readResponseText(answer, address);
      answer.destroy();
      return systemFault("failed", problem);
    });
    if ("fault" in response) return response;
    const parsed = results.safeParse(parseJson(response.text));
    if (!parsed.success) return systemFault("failed", `${title} sent an answer in another format than it documents.`);
    return { service: title, results: parsed.data.slice(0, count) };
  },
});

/** Why an answer holds no results. Only the user can solve these problems. */
function problemOf(status: number, title: string): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || (status === 403 && title !== "SearXNG"))
    return `${title} did not accept the key (status ${status}). The user must check it.`;
  if (status === 403)
    return "SearXNG does not allow the format json (status 403). The user must add it to search.formats in its settings.yml.";
  if (status === 429) return `${title} has received too many searches (status 429). Try again later, or continue without a search.`;
  if (status >= 300 && status < 400) return `${title} redirects to another address (status ${status}). Baton does not send searches there.`;
  return `${title} answered with status ${status}.`;
}
