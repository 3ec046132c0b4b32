import { loadExpressions } from "@baton/core/permission/expression";

await loadExpressions();
