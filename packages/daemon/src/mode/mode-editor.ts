import { loadRegexEngine } from "@baton/core/text/regex";
import { realpathSync } from "node:fs";
import { mkdir, readFile as readText, rm } from "node:fs/promises";
import path from "node:path";
import type { Mode } from "@baton/core/protocol/mode";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import writeFileAtomic from "write-file-atomic";
import type { ModeRegistry, ListedMode } from "./mode-registry.ts";
import { unknownName, withOwnNames } from "./field-names.ts";
import { readModeFile, type ModeFileText } from "./read-mode-file.ts";
import { MAX_DESCRIPTION, MAX_ROLE, readMode } from "./read-mode.ts";
import { readBatonMarkdown } from "./format/markdown.ts";
import { ReadContext, type ReadMode, type RulesFile, type ModeScope } from "./mode-read-context.ts";
import type { ModeDiagnostic } from "./parse/diagnostic.ts";
import { parseJsonNode } from "./parse/json.ts";
import { toSource } from "./parse/source-text.ts";
import { changeModeEntry } from "./write/change-mode-entry.ts";
import { exportMode, type ModeExport, type ExportFormat } from "./write/export-mode.ts";
import { modeMarkdown } from "./write/mode-markdown.ts";
import { ruleFilesBelow } from "./write/rules-files-below.ts";

/** The fields of a mode as a client sends them. The reader of files checks them. */
type ModeDefinition = Record<string, unknown>;
type Where = { cwd: string; scope: ModeScope };
type Refused = { refused: Refusal };

type Imported = { imported: string[]; diagnostics: ModeDiagnostic[] };

/** Creates, changes and deletes modes for clients. It checks the result first and changes nothing else. */
export type ModeEditor = {
  create: (where: Where, definition: ModeDefinition) => Promise<ListedMode | Refused>;
  update: (where: { cwd: string; scope?: ModeScope | undefined }, slug: string, change: ModeDefinition) => Promise<ListedMode | Refused>;
  delete: (where: { cwd: string; scope?: ModeScope | undefined }, slug: string) => Promise<{ deleted: string } | Refused>;
  restore: (where: { cwd: string; scope?: ModeScope | undefined }, slug: string) => Promise<{ restored: string } | Refused>;
  import: (where: Where, files: readonly ModeFileText[], overwrite: boolean) => Promise<Imported | Refused>;
  export: (cwd: string, slug: string, format: ExportFormat) => Promise<ModeExport | Refused>;
};

/** `config`: Baton's config folder. */
export function openModeEditor(
  catalog: ModeRegistry,
  { config, trusted }: { config: string; trusted: (cwd: string) => boolean },
): ModeEditor {
  const folderOf = ({ cwd, scope }: Where) => (scope === "global" ? config : path.join(cwd, ".baton"));

  /** The reason why this scope cannot be written. */
  const closed = ({ cwd, scope }: Where): Refused | undefined => {
    if (scope === "global") return undefined;
    if (!trusted(cwd))
      return refuse(
        "workspace_untrusted",
        `You do not trust ${cwd}, so modes of the project cannot be written. Run \`baton trust\`, or use --scope global to write a mode of your own.`,
      );
    const outside = leadsOut(cwd, path.join(cwd, ".baton", "modes"));
    return outside === undefined
      ? undefined
      : refuse("mode_read_only", `${path.join(cwd, ".baton")} is a link to ${outside}, outside of the workspace. Replace it by a folder.`);
  };

  const listed = async (cwd: string) => {
    await catalog.load(cwd);
    return catalog.listed(cwd).modes.filter(({ inert }) => !inert);
  };
  const find = async (cwd: string, slug: string, scope?: ModeScope) =>
    (await listed(cwd)).find((mode) => mode.slug === slug && (scope === undefined || mode.source === scope));
  const missing = async (cwd: string, slug: string, scope?: ModeScope) =>
    refuse(
      "mode_not_found",
      `There is no mode ${slug}${scope === undefined ? "" : ` of scope ${scope}`}. The modes are: ${(await listed(cwd)).map((mode) => mode.slug).join(", ")}.`,
    );

  const write = async (where: Where, mode: Mode, rulesFiles: readonly RulesFile[] = []): Promise<ListedMode | Refused> => {
    const file = path.join(folderOf(where), "modes", `${mode.slug}.md`);
    const text = await modeMarkdown(mode);
    const { modes, diagnostics } = await readBatonMarkdown(file, text, where.scope);
    if (modes.length === 0) return invalid(mode.slug, diagnostics);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomic(file, text);
    for (const { relativePath, content } of rulesFiles) {
      const target = path.join(folderOf(where), `rules-${mode.slug}`, relativePath);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFileAtomic(target, content);
    }
    return (await find(where.cwd, mode.slug)) ?? missing(where.cwd, mode.slug);
  };

  const take = async (where: { cwd: string; scope?: ModeScope | undefined }, slug: string): Promise<ListedMode | Refused> => {
    const found = await find(where.cwd, slug, where.scope);
    if (!found) return missing(where.cwd, slug, where.scope);
    if (found.source === "plugin") return ofPlugin(found);
    if (found.source === "builtin" || found.filePath === undefined)
      return refuse(
        "mode_read_only",
        `${slug} is built in and cannot be deleted. \`baton modes edit ${slug}\` creates your own definition.`,
      );
    const no = closed({ cwd: where.cwd, scope: found.source });
    if (no) return no;
    if (isPage(found.filePath)) await rm(found.filePath);
    else {
      const text = await changeModeEntry(found.filePath, await readText(found.filePath, "utf8"), slug, undefined);
      if (text === undefined) return foreign(found);
      await writeFileAtomic(found.filePath, text);
    }
    await catalog.load(where.cwd);
    return found;
  };

  return {
    create: async (where, definition) => {
      const no = closed(where);
      if (no) return no;
      await loadRegexEngine();
      const fields = withOwnNames(definition);
      const read = fromDefinition(fields, where.scope);
      if ("refused" in read) return read;
      const unknown = unknownName(fields, read.mode);
      if (unknown !== undefined) return refuse("mode_invalid", unknown);
      const { slug, description, roleDefinition } = read.mode;
      if (slug !== slug.toLowerCase()) return refuse("mode_invalid", `The slug ${slug} has capital letters. Write ${slug.toLowerCase()}.`);
      if (description.trim() === "")
        return refuse("mode_invalid", `The mode ${slug} has no description. Describe its purpose in a sentence.`);
      if (description.length > MAX_DESCRIPTION || roleDefinition.length > MAX_ROLE)
        return refuse(
          "mode_invalid",
          `The description of ${slug} may have ${MAX_DESCRIPTION} characters and its role ${MAX_ROLE}. Put longer texts into its instructions.`,
        );
      if (await find(where.cwd, slug, where.scope))
        return refuse("duplicate_slug", `A mode ${slug} of scope ${where.scope} already exists. Choose another slug, or edit that mode.`);
      return write(where, read.mode, read.rulesFiles);
    },

    update: async ({ cwd, scope }, slug, fields) => {
      const change = withOwnNames(fields);
      if ("slug" in change && change["slug"] !== slug)
        return refuse("mode_invalid", `The slug of a mode cannot change. Create ${String(change["slug"])} and delete ${slug}.`);
      const found = (await find(cwd, slug, scope)) ?? (await find(cwd, slug));
      if (!found) return missing(cwd, slug, scope);
      if (found.source === "plugin") return ofPlugin(found);
      const to = { cwd, scope: scope ?? (found.source === "builtin" ? "global" : found.source) };
      const no = closed(to);
      if (no) return no;
      const read = fromDefinition({ ...catalog.written(cwd, slug), ...change, slug }, to.scope);
      if ("refused" in read) return read;
      const unknown = unknownName(change, read.mode);
      if (unknown !== undefined) return refuse("mode_invalid", unknown);
      if (found.source !== to.scope || found.filePath === undefined) return write(to, read.mode);
      if (isPage(found.filePath)) return found.format === "own" ? write(to, read.mode) : foreign(found);
      const text = await changeModeEntry(found.filePath, await readText(found.filePath, "utf8"), slug, change);
      if (text === undefined) return foreign(found);
      await writeFileAtomic(found.filePath, text);
      return (await find(cwd, slug)) ?? missing(cwd, slug);
    },

    delete: async (where, slug) => {
      const taken = await take(where, slug);
      return "refused" in taken ? taken : { deleted: slug };
    },

    restore: async (where, slug) => {
      const found = await find(where.cwd, slug, where.scope);
      if (found && !found.shadows.some(({ source }) => source === "builtin"))
        return refuse(
          "mode_not_found",
          `${slug} has no built-in definition to restore${found.source === "builtin" ? ": it is built in and unchanged" : ""}.`,
        );
      const taken = await take(where, slug);
      return "refused" in taken ? taken : { restored: slug };
    },

    import: async (where, files, overwrite) => {
      const no = closed(where);
      if (no) return no;
      const result: Imported = { imported: [], diagnostics: [] };
      for (const file of files) {
        const { modes, diagnostics } = await readModeFile(file, where.scope);
        result.diagnostics.push(...diagnostics);
        for (const { mode, line, rulesFiles } of modes) {
          if (!overwrite && (await find(where.cwd, mode.slug, where.scope)))
            result.diagnostics.push({
              file: file.path,
              line,
              column: 1,
              severity: "error",
              code: "duplicate_slug",
              slug: mode.slug,
              message: `A mode ${mode.slug} of scope ${where.scope} already exists, so this one was not imported.`,
              fix: "Import it with --overwrite, or give it another slug.",
            });
          else {
            const written = await write(where, mode, rulesFiles);
            if ("refused" in written) return written;
            result.imported.push(mode.slug);
          }
        }
      }
      return result;
    },

    export: async (cwd, slug, format) => {
      const found = await find(cwd, slug);
      if (!found) return missing(cwd, slug);
      const folders = [path.join(cwd, ".baton"), path.join(cwd, ".roo"), config].map((folder) => path.join(folder, `rules-${slug}`));
      return exportMode(catalog.written(cwd, slug) ?? found, await ruleFilesBelow(folders), format);
    },
  };
}

const isPage = (file: string): boolean => file.endsWith(".md");

const ofPlugin = ({ slug, plugin = "" }: ListedMode): Refused =>
  refuse("mode_read_only", `${slug} is part of the plugin ${plugin}, so it cannot be changed. Create a mode of your own from its text.`);

const foreign = ({ slug, filePath }: ListedMode): Refused =>
  refuse(
    "mode_read_only",
    `${slug} is in ${filePath ?? "a file"} of another program, which Baton only reads. \`baton modes import ${filePath ?? ""}\` makes a copy that you can change.`,
  );

const invalid = (slug: string, diagnostics: readonly ModeDiagnostic[]): Refused => {
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  return refuse(
    "mode_invalid",
    `The mode ${slug} would be invalid: ${first?.message ?? "it could not be read back."} ${first?.fix ?? ""}`.trim(),
  );
};

function fromDefinition(definition: ModeDefinition, scope: ModeScope): ReadMode | Refused {
  const { hue: _hue, opened: _opened, within: _within, line: _line, shadows: _shadows, inert: _inert, extra, ...fields } = definition;
  const given = Object.fromEntries(
    Object.entries({ ...fields, ...(typeof extra === "object" ? extra : {}) }).filter(([, value]) => value !== null && value !== undefined),
  );
  const text = JSON.stringify(given);
  const reading = new ReadContext(toSource("the definition", text), scope);
  const { node } = parseJsonNode(text);
  const read = node?.kind === "map" ? readMode(node, reading) : undefined;
  return read ?? invalid(String(definition["slug"] ?? "without a slug"), reading.diagnostics);
}

/** The target of an existing folder if it is outside the workspace. */
function leadsOut(cwd: string, folder: string): string | undefined {
  for (let at = folder; at.length > cwd.length; at = path.dirname(at)) {
    try {
      const real = realpathSync(at);
      const relative = path.relative(realpathSync(cwd), real);
      return relative.split(path.sep)[0] === ".." || path.isAbsolute(relative) ? real : undefined;
    } catch {
      continue; // it does not exist yet
    }
  }
  return undefined;
}
