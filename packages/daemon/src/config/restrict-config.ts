import type { Config } from "./config-schema.ts";

type Limits = NonNullable<Config["limits"]>;

/**
 * A person's settings as a trusted project leaves them: it can take tools away and lower limits, and says where to begin
 * to somebody who has not said it.
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

/** Of each limit the lower one. */
function lower(own: Limits, project: Limits): Limits {
  const names = [...new Set([...Object.keys(own), ...Object.keys(project)])] as (keyof Limits)[]; // keys of both
  return Object.fromEntries(names.map((name) => [name, Math.min(own[name] ?? Infinity, project[name] ?? Infinity)]));
}
