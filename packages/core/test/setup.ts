import { loadRegexEngine } from "../src/permission/regex.ts";

await loadRegexEngine();
