import { builtinModes } from "@baton/core/mode/builtin-modes";
import { withTexts, withOverride, type ModeOverride } from "@baton/core/mode/mode-override";
import {
  resolveModeDefinitions,
  type FoundMode,
  type DefinitionOrigin,
  type ResolvedMode,
} from "@baton/core/mode/resolve-mode-definitions";
import type { Mode } from "@baton/core/protocol/mode";
import { userModeLocations, projectModeLocations } from "./mode-locations.ts";
import { ModeFileStore, type StoredMode } from "./mode-file-store.ts";
import type { ModeDiagnostic } from "./parse/diagnostic.ts";
import { limitProjectMode, type LimitedProjectMode } from "@baton/core/mode/limit-project-mode";

/** A mode in lists: its definition, its file, and the definitions that it overrides. `inert`: it exists but has no effect. */
export type ListedMode = Mode & DefinitionOrigin & { isCustom: boolean; shadows: DefinitionOrigin[]; inert?: "untrusted" };

/** The modes of every workspace. Answers from memory; `load` reads the files. */
export type ModeRegistry = {
  /** `unread`: the error of a file that may define this slug. Baton then does not know whether the mode was removed. */
  of: (workspace: string) => {
    all: () => readonly Mode[];
    get: (slug: string) => Mode | undefined;
    unread: (slug: string) => ModeDiagnostic | undefined;
  };
  listed: (workspace: string) => { modes: ListedMode[]; diagnostics: ModeDiagnostic[] };
  /** The definition to edit: the content of its file, or a built-in mode with the config's texts. Without any other settings. */
  written: (workspace: string, slug: string) => Mode | undefined;
  /** Reads files that have changed, and watches them from then on. */
  load: (workspace: string) => Promise<void>;
  /** The user's modes that set the address of their model. */
  endpoints: () => readonly Mode[];
  close: () => void;
};

type ModeRegistryOptions = {
  /** Baton's config folder, and the user's home. */
  config: string;
  home: string;
  env: Record<string, string | undefined>;
  overrides: () => Overrides;
  trusted: (workspace: string) => boolean;
  /** The modes of the plugins that are active in a workspace. The same list as long as nothing has changed. */
  plugins: (workspace: string) => readonly FoundMode[];
  /** Explains why a project's file must not be read. */
  strange: (file: string, workspace: string) => string | undefined;
  /** True if the workspace has an open session. Its modes then stay in memory. */
  isInUse: (workspace: string) => boolean;
  /** Modes have changed in a workspace, or everywhere. */
  changed: (workspace?: string) => void;
  report: (problem: string, error: unknown) => void;
};

/** The modes of a workspace. Recomputed after a change of anything that they depend on. */
type ResolvedModes = {
  of: readonly unknown[];
  modes: readonly Mode[];
  bySlug: ReadonlyMap<string, Mode>;
  written: ReadonlyMap<string, Mode>;
  listed: ListedMode[];
  diagnostics: ModeDiagnostic[];
  /** The reasons why definitions cannot be read. */
  faults: readonly ModeDiagnostic[];
};

const MAX_WORKSPACES = 100;

export function openModeRegistry({
  config,
  home,
  env,
  overrides,
  trusted,
  plugins,
  strange,
  isInUse,
  changed,
  report,
}: ModeRegistryOptions): ModeRegistry {
  const global = new ModeFileStore(userModeLocations({ config, home, env }), () => changed(), report);
  const projects = new Map<string, ModeFileStore>();
  const known = new Map<string, ResolvedModes>();

  const shelfOf = (workspace: string): ModeFileStore => {
    const shelf =
      projects.get(workspace) ??
      new ModeFileStore(
        projectModeLocations(workspace),
        () => changed(workspace),
        report,
        (file) => strange(file, workspace),
      );
    projects.delete(workspace);
    projects.set(workspace, shelf); // the newest last
    if (projects.size > MAX_WORKSPACES) forget([...projects.keys()].find((each) => each !== workspace && !isInUse(each)));
    return shelf;
  };

  const forget = (workspace: string | undefined): void => {
    if (workspace === undefined) return;
    projects.get(workspace)?.close();
    projects.delete(workspace);
    known.delete(workspace);
  };

  const settled = (workspace: string): ResolvedModes => {
    const project = projects.get(workspace);
    const isTrusted = trusted(workspace);
    const ofPlugins = plugins(workspace);
    const of = [global.version, project?.version, project, isTrusted, overrides(), ofPlugins];
    const before = known.get(workspace);
    if (before && of.every((each, i) => each === before.of[i])) return before;
    const now = resolveModes(of, { global, project, plugins: ofPlugins, trusted: isTrusted, overrides: overrides() });
    known.set(workspace, now);
    return now;
  };

  return {
    of: (workspace) => ({
      all: () => settled(workspace).modes,
      get: (slug) => settled(workspace).bySlug.get(slug),
      unread: (slug) => settled(workspace).faults.find((fault) => fault.slug === undefined || fault.slug === slug),
    }),
    listed: (workspace) => ({ modes: settled(workspace).listed, diagnostics: settled(workspace).diagnostics }),
    written: (workspace, slug) => settled(workspace).written.get(slug),
    load: async (workspace) => void (await Promise.all([global.look(), ...(workspace === "" ? [] : [shelfOf(workspace).look()])])),
    endpoints: () => global.modes.map(({ mode }) => mode).filter(({ model }) => model?.baseUrl !== undefined),
    close: () => [global, ...projects.values()].forEach((shelf) => shelf.close()),
  };
}

type Sources = {
  global: ModeFileStore;
  project: ModeFileStore | undefined;
  plugins: readonly FoundMode[];
  trusted: boolean;
  overrides: Overrides;
};

function resolveModes(of: readonly unknown[], { global, project, plugins, trusted, overrides }: Sources): ResolvedModes {
  const own = (project?.modes ?? []).map(toDefinition);
  const counting = [...(trusted ? own : []), ...global.modes.map(toDefinition), ...plugins];
  const found = resolveModeDefinitions(counting, builtinModes);
  const merged = found.map((each) => clampProjectMode(each, overrides));
  const modes = merged.map(({ mode }) => mode);
  const listed = [
    ...merged.map(({ mode, origin, shadows }): ListedMode => ({ ...mode, ...origin, isCustom: origin.source !== "builtin", shadows })),
    ...(trusted
      ? []
      : own.map(({ mode, origin }): ListedMode => ({ ...mode, ...origin, isCustom: true, shadows: [], inert: "untrusted" }))),
  ];
  const diagnostics = [
    ...global.diagnostics,
    ...(project?.diagnostics ?? []),
    ...merged.flatMap(({ notes }) => notes),
    ...merged.flatMap(({ mode, origin, shadows }) => shadows.flatMap((shadow) => shadowed(mode.slug, origin, shadow))),
    ...(trusted ? [] : own.slice(0, 1).map(({ origin }) => untrusted(origin, own.length))),
  ];
  const faults = [...global.diagnostics, ...(trusted ? (project?.diagnostics ?? []) : [])].filter(({ severity }) => severity === "error");
  const written = new Map(found.map(({ mode, origin }) => [mode.slug, withTexts(mode, origin, overrides[mode.slug])]));
  return { of, modes, bySlug: new Map(modes.map((mode) => [mode.slug, mode])), written, listed, diagnostics, faults };
}

const toDefinition = ({ mode, line, file, place, createdAt, updatedAt }: StoredMode): FoundMode => ({
  mode,
  origin: { source: place.scope, format: place.format, filePath: file, line, createdAt, updatedAt },
});

/** A note about an overridden definition. Overriding a built-in mode needs none. */
function shadowed(slug: string, by: DefinitionOrigin, { source, filePath, line = 1 }: DefinitionOrigin): ModeDiagnostic[] {
  if (source === "builtin" || filePath === undefined) return [];
  const message = `The mode ${slug} of this file has no effect, because ${by.filePath ?? "another definition"} overrides it.`;
  return [{ file: filePath, line, column: 1, severity: "info", code: "shadowed", slug, message, fix: "Give one of them another slug." }];
}

const untrusted = ({ filePath = "", line = 1 }: DefinitionOrigin, count: number): ModeDiagnostic => ({
  file: filePath,
  line,
  column: 1,
  severity: "info",
  code: "untrusted",
  message: `${count === 1 ? "A mode" : `${count} modes`} of this project will take effect when you trust the workspace.`,
});

/** The user's settings for modes, by slug. */
type Overrides = Readonly<Record<string, ModeOverride>>;

/** A mode in effect. `notes`: notes about the parts of its definition that are not. */
type ClampedMode = Omit<ResolvedMode, "within"> & { notes: ModeDiagnostic[] };

/** Applies the user's settings to a mode. A project's mode is limited by the definition that it overrides. */
function clampProjectMode({ within, ...found }: ResolvedMode, overrides: Overrides): ClampedMode {
  const override = overrides[found.mode.slug];
  const mode = withOverride(found.mode, found.origin, override);
  if (!within) return { ...found, mode, notes: [] };
  const narrowed = limitProjectMode(mode, withOverride(within.mode, within.origin, override));
  return { ...found, mode: narrowed.mode, notes: widened(narrowed, found.origin, within.origin) };
}

/** A warning about the parts of a project's mode that exceed the definition that it overrides. */
function widened(
  { mode: { slug }, lost, limited }: LimitedProjectMode,
  { filePath = "", line = 1 }: DefinitionOrigin,
  by: DefinitionOrigin,
): ModeDiagnostic[] {
  if (lost.length + limited.length === 0) return [];
  const other = by.source === "builtin" ? "the built-in one" : `that of ${by.filePath ?? "your own"}`;
  const excess = [
    ...(lost.length === 0
      ? []
      : [`${lost.join(", ")} ${lost.length === 1 ? "does" : "do"} not count, as ${other} lacks ${lost.length === 1 ? "it" : "them"}`]),
    ...(limited.length === 0 ? [] : [`${limited.join(", ")} ${limited.length === 1 ? "has" : "have"} the limits of ${other} as well`]),
  ];
  return [
    {
      file: filePath,
      line,
      column: 1,
      severity: lost.length > 0 ? "warning" : "info",
      code: "project_cannot_widen",
      slug,
      message: `A project can restrict the mode ${slug}, but not extend it: ${excess.join("; ")}.`,
      fix: "Give it another slug (or name, if the file has no slug) to make it a mode of its own.",
    },
  ];
}
