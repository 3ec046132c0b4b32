import type { Config } from "./config-schema.ts";

type Limits = NonNullable<Config["limits"]>;

/**
 * The user's settings with a trusted project's restrictions. The project can disable tools and lower limits. It also sets the default mode
 * if the user has not set one.
 */
export function restrictConfig(own: Config, project: Config | undefined): Config {
  if (!project) return own;
  return {
    ...own,
    ...union("disabledTools", own.disabledTools, project.disabledTools),
    ...(own.limits || project.limits ? { limits: lower(own.limits ?? {}, project.limits ?? {}) } : {}),
    ...(project.defaultMode !== undefined && own.defaultMode === undefined ? { defaultMode: project.defaultMode } : {}),
  };
}

const union = (name: "disabledTools", a: readonly string[] = [], b: readonly string[] = []): Config =>
  a.length + b.length === 0 ? {} : { [name]: [...new Set([...a, ...b])] };

/** The lower value of each limit. */
function lower(own: Limits, project: Limits): Limits {
  const names = [...new Set([...Object.keys(own), ...Object.keys(project)])] as (keyof Limits)[]; // keys of both
  return Object.fromEntries(names.map((name) => [name, Math.min(own[name] ?? Infinity, project[name] ?? Infinity)]));
}
