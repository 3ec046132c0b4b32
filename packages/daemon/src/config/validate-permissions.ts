import { Effect } from "@baton/core/protocol/rule";
import { configSections } from "./config-schema.ts";

/** What is wrong, and where below `permissions`. */
export type PermissionsIssue = { path: (string | number)[]; message: string };

/** Of an object nothing more is known. */
type Said = Readonly<Record<string, unknown>>;

const EFFECTS = `the effects are ${Effect.options.join(", ")}`;

/** Why a value is no `permissions`, in the form that it seems to have: the schema knows only that it is neither of two. */
export function validatePermissions(value: unknown): PermissionsIssue[] {
  if (Array.isArray(value)) return ofList(value);
  if (typeof value !== "object" || value === null)
    return [{ path: [], message: "rules are a list of {action, resource, effect}, or actions with what they may do" }];
  return Object.entries(value as Said).flatMap(([action, said]): PermissionsIssue[] =>
    typeof said === "object" && said !== null
      ? Object.entries(said as Said).flatMap(([resource, effect]) => ofEffect([action, resource], effect))
      : ofEffect([action], said),
  );
}

const ofEffect = (path: string[], value: unknown): PermissionsIssue[] =>
  Effect.safeParse(value).success ? [] : [{ path, message: `${JSON.stringify(value)} is no effect; ${EFFECTS}` }];

function ofList(value: readonly unknown[]): PermissionsIssue[] {
  const { error } = configSections.permissions.options[0].safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => {
    const at = path.map((step) => (typeof step === "symbol" ? String(step) : step));
    const rule: unknown = value[Number(at[0])];
    const [, key] = at;
    if (typeof rule !== "object" || rule === null || key === undefined) return { path: at, message };
    const given = Object.entries(rule).find(([name]) => name === key);
    if (given === undefined) return { path: at.slice(0, 1), message: `${String(key)} is missing in this rule` };
    return key === "effect" ? { path: at, message: `${JSON.stringify(given[1])} is no effect; ${EFFECTS}` } : { path: at, message };
  });
}
