// Runs as a child of the daemon, which it serves, and in the threads of that child.
import { isMainThread } from "node:worker_threads";
import { serveAnalysis } from "./code-index/analysis/analysis-threads.ts";
import { serveIndex } from "./code-index/serve-index.ts";

await (isMainThread ? serveIndex(process.argv[1] ?? "") : serveAnalysis());
