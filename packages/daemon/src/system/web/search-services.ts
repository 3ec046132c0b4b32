import type { SearchServiceName } from "@baton/core/protocol/web-search-service";
import * as z from "zod";
import type { WebRequest } from "./web-request.ts";

export type SearchResult = { title: string; url: string; snippet: string };

/** The interface of one service. */
type SearchApi = {
  title: string;
  /** The usual address. Undefined: every user has their own. */
  origin?: string;
  path: string;
  /** The variables that may hold the key. Undefined: the service needs none. */
  keyNames?: readonly string[];
  /** The request for `count` results at most. `address` already has the path. */
  request: (address: URL, query: string, count: number, key: string) => WebRequest & { url: URL };
  results: z.ZodType<SearchResult[]>;
};

const Text = z.string().nullish();

/** The results of a response. A result without an address is left out. */
const resultList = <Item extends z.ZodType<{ title?: string | null | undefined; url: string }>>(
  item: Item,
  snippet: (result: z.output<Item>) => string | null | undefined,
) =>
  z
    .array(item)
    .transform((all) => all.map((each) => ({ title: plain(each.title ?? ""), url: each.url, snippet: plain(snippet(each) ?? "") })));

const WithContent = z.object({ title: Text, url: z.string(), content: Text });

/** The services, in the formats of their documentation. */
export const searchServices: Readonly<Record<SearchServiceName, SearchApi>> = {
  exa: {
    title: "Exa",
    origin: "https://api.exa.ai",
    path: "/search",
    keyNames: ["EXA_API_KEY"],
    request: (url, query, count, key) => ({
      url,
      ...json({ query, numResults: count, contents: { highlights: true } }, { "x-api-key": key }),
    }),
    results: z
      .object({
        results: resultList(
          z.object({ title: Text, url: z.string(), highlights: z.array(z.string()).nullish(), text: Text }),
          ({ highlights, text }) => highlights?.join(" … ") ?? text,
        ),
      })
      .transform(({ results }) => results),
  },
  brave: {
    title: "Brave Search",
    origin: "https://api.search.brave.com",
    path: "/res/v1/web/search",
    keyNames: ["BRAVE_API_KEY"],
    request: (url, query, count, key) => ({
      url: withQuery(url, { q: query, count: String(count) }),
      headers: { accept: "application/json", "x-subscription-token": key },
    }),
    results: z
      .object({
        web: z
          .object({
            results: resultList(z.object({ title: Text, url: z.string(), description: Text }), ({ description }) => description),
          })
          .nullish(),
      })
      .transform(({ web }) => web?.results ?? []),
  },
  tavily: {
    title: "Tavily",
    origin: "https://api.tavily.com",
    path: "/search",
    keyNames: ["TAVILY_API_KEY"],
    request: (url, query, count, key) => ({ url, ...json({ query, max_results: count }, { authorization: `Bearer ${key}` }) }),
    results: z.object({ results: resultList(WithContent, ({ content }) => content) }).transform(({ results }) => results),
  },
  searxng: {
    title: "SearXNG",
    path: "/search",
    request: (url, query) => ({ url: withQuery(url, { q: query, format: "json" }), headers: { accept: "application/json" } }),
    results: z.object({ results: resultList(WithContent, ({ content }) => content) }).transform(({ results }) => results),
  },
};

const json = (body: object, headers: Record<string, string>): WebRequest => ({
  headers: { accept: "application/json", "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

function withQuery(url: URL, parameters: Record<string, string>): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'", nbsp: " " };

/** Removes the tags with which services emphasize words. */
const plain = (text: string): string =>
  text
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
