import { loadExpressions } from "../src/permission/expression.ts";

await loadExpressions();
