import { loadExpressions } from "../src/permission/regex.ts";

await loadExpressions();
