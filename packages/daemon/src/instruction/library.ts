import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Library, SkillFact } from "../port/library.ts";
import { frontmatterOf } from "../mode/text/frontmatter.ts";
import { entry, type MapNode } from "../mode/text/node.ts";
import { parseYaml } from "../mode/text/yaml.ts";
import { expandCommand } from "./expand.ts";
import type { Reader } from "./read-cached.ts";

/** A slash command as clients list it. */
export type CommandFact = { name: string; description: string; argumentHint?: string; source: "global" | "project"; filePath: string };

type Folder = { folder: string; source: "global" | "project" };

/** Skills and slash commands of a person and, where it is trusted, of the project, which come first. */
export function libraryOf(
  { config, home, workspace, trusted }: { config: string; home: string; workspace: string; trusted: boolean },
  read: Reader,
): Library & { commands: () => Promise<CommandFact[]> } {
  const folders = (name: string, ...others: string[]): Folder[] => [
    ...(trusted
      ? [path.join(".baton", name), ...others].map((each) => ({ folder: path.join(workspace, each), source: "project" as const }))
      : []),
    { folder: path.join(config, name), source: "global" as const },
    ...others.map((each) => ({ folder: path.join(home, each), source: "global" as const })),
  ];

  const skills = async (): Promise<(SkillFact & { file: string })[]> => {
    const found = await Promise.all(
      folders("skills", ".claude/skills", ".agents/skills").map(async ({ folder }) => {
        const names = (await entriesOf(folder)).filter((each) => each.isDirectory() || each.isSymbolicLink()).map((each) => each.name);
        return Promise.all(names.map((name) => skillIn(path.join(folder, name), name)));
      }),
    );
    return unique(found.flat().filter((skill) => skill !== undefined));
  };

  const skillIn = async (folder: string, name: string) => {
    const file = path.join(folder, "SKILL.md");
    const text = await read(file);
    if (!text) return undefined;
    const header = await headerOf(text);
    return { name: textOf(header, "name") ?? name, description: (textOf(header, "description") ?? "").slice(0, 300), file };
  };

  const commands = async (): Promise<CommandFact[]> => {
    const found = await Promise.all(
      folders("commands", ".roo/commands", ".claude/commands", ".opencode/command").map(async ({ folder, source }) => {
        const files = (await entriesOf(folder)).filter((each) => each.name.endsWith(".md")).map((each) => each.name);
        return Promise.all(
          files.map(async (name): Promise<CommandFact> => {
            const filePath = path.join(folder, name);
            const header = await headerOf((await read(filePath)) ?? "");
            const hint = textOf(header, "argument-hint");
            return {
              name: name.slice(0, -3),
              description: textOf(header, "description") ?? "",
              ...(hint === undefined ? {} : { argumentHint: hint }),
              source,
              filePath,
            };
          }),
        );
      }),
    );
    return unique(found.flat());
  };

  return {
    skills,
    commands,
    async skill(name) {
      const skill = (await skills()).find((each) => each.name === name);
      const text = skill && (await read(skill.file));
      return skill && text ? { text: frontmatterOf(text)?.body.text.trim() ?? text, folder: path.dirname(skill.file) } : undefined;
    },
    async command(name, args) {
      const command = (await commands()).find((each) => each.name === name);
      const text = command && (await read(command.filePath));
      return text ? expandCommand(frontmatterOf(text)?.body.text ?? text, args) : undefined;
    },
  };
}

const entriesOf = async (folder: string) =>
  (await readdir(folder, { withFileTypes: true }).catch(() => [])).toSorted((a, b) => (a.name < b.name ? -1 : 1)); // a folder that is not there holds nothing

const unique = <T extends { name: string }>(found: readonly T[]): T[] =>
  found.filter(({ name }, i) => found.findIndex((other) => other.name === name) === i);

async function headerOf(text: string): Promise<MapNode | undefined> {
  const parts = frontmatterOf(text);
  const node = parts && (await parseYaml(parts.header.text)).node;
  return node?.kind === "map" ? node : undefined;
}

function textOf(header: MapNode | undefined, key: string): string | undefined {
  const value = header && entry(header, key)?.value;
  return value?.kind === "scalar" && value.value !== null ? String(value.value) : undefined;
}
