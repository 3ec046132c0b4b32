#!/usr/bin/env node
import { enableCompileCache } from "node:module";

enableCompileCache(); // what was compiled once is kept for the next start
const { program } = await import("./command/program.ts");
await program(process.argv);
