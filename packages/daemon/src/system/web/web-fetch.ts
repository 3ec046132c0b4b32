import { systemFault, type SystemFault } from "../system-fault.ts";
import { readResponseText, sendRequest, withinTimeLimit, type IsAddressAllowed, type WebText } from "./web-request.ts";

/** Decides what may be reached. Both are called for every redirect: `mayGo` with the address, `mayReach` with the resolved IP. */
export type FetchPolicy = {
  mayGo: (url: string) => { url: URL } | { refused: string };
  mayReach: IsAddressAllowed;
};

export type WebFetcher = {
  /** Fetches a text and follows allowed redirects. The `url` of the text is the address after all redirects. */
  text(url: string, signal: AbortSignal): Promise<WebText | SystemFault>;
};

const MAX_HOPS = 5;

export const openWebFetcher = (reach: FetchPolicy): WebFetcher => ({
  text: (url, signal) => withinTimeLimit(signal, (limit) => follow(url, reach, limit)),
});

async function follow(first: string, reach: FetchPolicy, signal: AbortSignal): Promise<WebText | SystemFault> {
  let from: URL | undefined;
  let next = first;
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const allowed = reach.mayGo(next);
    if ("refused" in allowed) return systemFault("refused", from ? `${from.href} leads to ${next}. ${allowed.refused}` : allowed.refused);
    const { url } = allowed;
    if (from?.protocol === "https:" && url.protocol === "http:")
      return systemFault("refused", `${from.href} redirects to ${url.href}, which is not encrypted, so Baton did not follow it.`);
    const response = await sendRequest(url, reach.mayReach, signal);
    const location = response.headers.location;
    const status = response.statusCode ?? 0;
    if (status < 300 || status >= 400 || location === undefined) return await readResponseText(response, url);
    response.destroy();
    from = url;
    next = URL.parse(location, url.href)?.href ?? location;
  }
  return systemFault("failed", `${first} has more than ${MAX_HOPS} redirects.`);
}
