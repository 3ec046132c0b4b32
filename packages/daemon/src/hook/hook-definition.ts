import { hash } from "node:crypto";
import type { HookEvent, HookOnFailure, HookRef } from "@baton/core/protocol/hook";
import type { ApprovalStatus } from "@baton/core/text/approval-status-text";
import { oneLine } from "@baton/core/text/sanitize";
import type { ScriptHash } from "../script-hash/hash-scripts.ts";

/** How a hook runs. Without `args` the command is a line for the shell. `allowedEnvVars`: the variables that headers may name. */
export type HookLaunch =
  | { type: "command"; command: string; args?: readonly string[] | undefined }
  | { type: "http"; url: string; headers: Readonly<Record<string, string>>; allowedEnvVars: readonly string[] };

/** The agent whose format and names a file of hooks has. */
export type HookDialect = "claude" | "codex";

/**
 * A file with hooks. `label`: how verdicts name it. `root`: the folder of a plugin. A hook of the layer `project` can never allow, and neither
 * can one of a plugin.
 */
export type HookFile = {
  path: string;
  label: string;
  layer: "user" | "project" | "managed";
  dialect: HookDialect;
  root?: string | undefined;
};

/** A hook as its file defines it. `failsBy`: the file says what happens if it fails. `condition`: a permission rule of Claude Code. */
export type HookDefinition = {
  event: HookEvent;
  matcher: string | undefined;
  condition: string | undefined;
  launch: HookLaunch;
  timeoutMs: number;
  async: boolean;
  once: boolean;
  onFailure: HookOnFailure;
  failsBy: boolean;
  file: HookFile;
  line: number;
};

export type HookStatus = ApprovalStatus;

/** A hook of a workspace. */
export type KnownHook = { definition: HookDefinition; ref: HookRef; status: HookStatus };

const MAX_NAME = 60;

/** A short name: the start of the command or the address. */
function hookName({ launch }: Pick<HookDefinition, "launch">): string {
  const text = launch.type === "http" ? launch.url : [launch.command, ...(launch.args ?? [])].join(" ");
  const name = oneLine(text);
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1).toWellFormed()}…`;
}

/** The hook as events name it. The hash covers the definition and the scripts that its command names. */
export function hookRef(definition: HookDefinition, scripts: readonly ScriptHash[]): HookRef {
  const { event, matcher, condition, launch, timeoutMs, async, once, onFailure, file, line } = definition;
  const approved = [event, matcher, condition, launch, timeoutMs, async, once, onFailure, file.layer, file.root, scripts];
  return {
    name: hookName(definition),
    source: `${file.label}:${line}`,
    layer: file.layer,
    hash: hash("sha256", JSON.stringify(approved)),
    onFailure,
  };
}
