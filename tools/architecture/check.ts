import { isBuiltin } from "node:module";
import path from "node:path";
import { importsOf } from "./imports.ts";
import type { Import } from "./imports.ts";
import { faces, owners, rooms } from "./rooms.ts";

/** Maps `packages/<name>/src/...` to the text of the file. */
type Sources = Map<string, string>;

type Module = { file: string; id: string; room: string | undefined; imports: Import[] };
type Target = { kind: "ours"; id: string } | { kind: "node" } | { kind: "package"; name: string } | { kind: "asset" };

/** Returns a sentence for each import, file or cycle that the table of rooms forbids. */
export function check(sources: Sources): string[] {
  const modules = [...sources].map(([file, text]): Module => {
    const id = idOf(file);
    return { file, id, room: roomOf(id), imports: importsOf(file, text) };
  });
  const homeless = modules.filter((each) => each.room === undefined).map((each) => `${each.file} is in no room`);
  const trespassing = modules.flatMap((each) =>
    each.imports.flatMap((one) => {
      const fault = faultOf(each, one);
      return fault === undefined ? [] : [`${each.file}:${one.line} ${fault}`];
    }),
  );
  return [...homeless, ...trespassing, ...cycles(modules)];
}

function faultOf(from: Module, one: Import): string | undefined {
  const room = from.room === undefined ? undefined : rooms[from.room];
  if (from.room === undefined || room === undefined) return undefined;
  const target = targetOf(from.file, one.specifier);
  switch (target.kind) {
    case "asset":
      return undefined;
    case "node":
      return room.node === false ? `imports ${one.specifier}, but ${from.room} runs without Node` : undefined;
    case "package": {
      const owner = owners[target.name];
      if (owner !== undefined && owner !== from.room && !one.typeOnly) return `imports ${target.name}, which only ${owner} may`;
      const allowed = room.packages === undefined || room.packages.includes(target.name);
      return allowed ? undefined : `imports ${target.name}, but ${from.room} may only import ${room.packages?.join(", ")}`;
    }
    case "ours": {
      const isRelative = one.specifier.startsWith(".");
      if (isRelative && packageOf(target.id) !== packageOf(from.id))
        return `imports ${one.specifier}: another package is imported by its name`;
      if (isRelative && !/\.tsx?$/.test(one.specifier)) return `imports ${one.specifier}: write its ending as .ts`;
      if (covers(from.room, target.id) || room.may.some((name) => covers(name, target.id))) return undefined;
      const asType = room.typesOf?.some((name) => covers(name, target.id)) ?? false;
      if (asType) return one.typeOnly ? undefined : `imports ${target.id}, of which ${from.room} may only import types`;
      return `imports ${target.id}, which ${from.room} may not`;
    }
  }
}

function targetOf(file: string, specifier: string): Target {
  if (specifier.startsWith(".")) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    const ending = path.posix.extname(target);
    if (ending !== "" && !/^\.[cm]?[jt]sx?$/.test(ending)) return { kind: "asset" };
    return { kind: "ours", id: idOf(target) };
  }
  if (specifier.startsWith("@baton/")) {
    const id = specifier.slice("@baton/".length);
    return { kind: "ours", id: faces[id] ?? id };
  }
  if (isBuiltin(specifier)) return { kind: "node" };
  const [scope = "", name = ""] = specifier.split("/");
  return { kind: "package", name: scope.startsWith("@") ? `${scope}/${name}` : scope };
}

/** Type imports count as well, because files that need each other's types cannot be read one after the other. */
function cycles(modules: Module[]): string[] {
  const edges = new Map(modules.map((each) => [each.id, neighbours(each)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (id: string, trail: string[]) => {
    if (trail.includes(id)) return void found.push(`import cycle: ${[...trail.slice(trail.indexOf(id)), id].join(" -> ")}`);
    if (done.has(id)) return;
    for (const next of edges.get(id) ?? []) visit(next, [...trail, id]);
    done.add(id);
  };
  for (const id of edges.keys()) visit(id, []);
  return found;
}

function neighbours(from: Module): string[] {
  return from.imports.map((one) => targetOf(from.file, one.specifier)).flatMap((target) => (target.kind === "ours" ? [target.id] : []));
}

function roomOf(id: string): string | undefined {
  return Object.keys(rooms).find((name) => covers(name, id));
}

function covers(name: string, id: string): boolean {
  return id === name || id.startsWith(`${name}/`);
}

/** Converts `packages/core/src/mode/index.ts` to `core/mode/index`. */
function idOf(file: string): string {
  return file.replace(/^packages\/([^/]+)\/src\//, "$1/").replace(/\.[cm]?[jt]sx?$/, "");
}

function packageOf(id: string): string | undefined {
  return id.split("/")[0];
}
