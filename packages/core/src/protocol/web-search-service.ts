import * as z from "zod";

/** The services that can search the web. */
export const SearchServiceName = z.enum(["exa", "brave", "tavily", "searxng"]);
export type SearchServiceName = z.infer<typeof SearchServiceName>;

/** The resource of a web search before the gate: this, and the query. The gate replaces it by the address of the service. */
export const SEARCH_RESOURCE = "web-search:";
