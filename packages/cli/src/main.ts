#!/usr/bin/env node
import * as modules from "node:module";

if (Number(process.versions.node.split(".", 1)[0]) < 24) {
  process.stderr.write(`baton: Node 24.15 or newer is needed; this is ${process.version}. https://nodejs.org\n`);
  process.exit(2);
}
const { placesOf } = await import("@baton/daemon/places");
modules.enableCompileCache(placesOf(process.env).compileCache); // what was compiled once is kept for the next start, in a folder of our own
const { program } = await import("./command/program.ts");
await program(process.argv);
