import { loadRegexEngine } from "../src/text/regex.ts";

await loadRegexEngine();
