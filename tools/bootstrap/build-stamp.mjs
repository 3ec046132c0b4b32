import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./process.mjs";

const stamp = path.join(root, ".turbo", "built");
const packages = path.join(root, "packages");
const notInputs = new Set(["node_modules", "dist", "test", "bench", ".turbo"]);
const sharedInputs = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "turbo.json", "tsconfig.base.json", "tools", "docs"];

/** Compares names, sizes and times only. If anything differs, turbo decides by content. */
export function buildIsCurrent(node) {
  return existsSync(stamp) && existsSync(path.join(root, "node_modules")) && readFileSync(stamp, "utf8") === content(node, scanInputs());
}

/** `inputs` was scanned before the build, so an edit during the build is built the next time. */
export function rememberBuild(node, inputs) {
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, content(node, inputs));
}

export function scanInputs() {
  return digest([...sharedInputs.map((name) => path.join(root, name)), packages], (name) => !notInputs.has(name));
}

function content(node, inputs) {
  const bundled = readdirSync(packages).filter((name) => name !== "core"); // the other bundles contain core
  const outputs = bundled.map((name) => path.join(packages, name, "dist"));
  const launcher = path.join(root, "node_modules", ".bin", "baton");
  return [node, inputs, digest([...outputs, launcher], (name) => name !== "types")].join("\n");
}

function digest(places, wanted) {
  const hash = createHash("sha256");
  for (const place of places) if (existsSync(place)) addTo(hash, place, wanted);
  return hash.digest("hex");
}

function addTo(hash, place, wanted) {
  const stat = statSync(place);
  if (!stat.isDirectory()) return void hash.update(`${place}\0${stat.size}\0${stat.mtimeMs}\0${stat.ctimeMs}\n`);
  for (const name of readdirSync(place).sort()) if (wanted(name)) addTo(hash, path.join(place, name), wanted);
}
