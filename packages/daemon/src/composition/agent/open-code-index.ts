import { openCodeIndexes } from "../../code-index/code-indexes.ts";
import { openIndexProcess } from "../../code-index/index-process.ts";
import { openSessionRepositoryMaps } from "../../code-index/session-repository-maps.ts";
import { openReranker } from "../../code-index/rerank-files.ts";
import type { ModelRegistry } from "../../model/model-registry.ts";
import type { SessionCodeIndex } from "../../session/session-dependencies.ts";
import { systemClock } from "../../system/clock.ts";
import { isTrusted, type Foundation } from "../foundation/open-foundation.ts";

/** A larger folder is indexed in part. */
const MAX_FILES = 50_000;
/** Tokens of the map, unless the setting says otherwise. */
const MAP_TOKENS = 1_000;

export type CodeIndex = SessionCodeIndex & {
  /** Why a workspace has no index, as the end of a sentence. Undefined: it has one. */
  missing: () => string | undefined;
  /** Prepares the map of a workspace in the background. */
  prepare: (workspace: string) => void;
  close: () => void;
};

/** Opens the indexes of workspaces. Nothing is indexed before a session starts. */
export function openCodeIndex(
  foundation: Pick<Foundation, "paths" | "config" | "workspaces" | "late" | "report">,
  models: Pick<ModelRegistry, "embed">,
): CodeIndex {
  const { paths, config, late, report } = foundation;
  const reorder = openReranker();
  const indexes = openCodeIndexes({
    folder: paths.codeIndex,
    process: openIndexProcess(),
    list: async (workspace) =>
      (await late.readableFiles?.(workspace, MAX_FILES)) ?? { problem: "The files of the folder cannot be listed." },
    reorder: () => {
      const name = config.now().config.embeddingModel;
      return name === undefined ? undefined : reorder({ name, embed: (texts, signal) => models.embed(name, texts, signal) });
    },
    now: () => systemClock.now(),
    report: (problem) => report(problem, undefined),
  });
  const isOn = () => config.now().config.codebaseIndex ?? true;
  const tokens = () => config.now().config.repositoryMap ?? MAP_TOKENS;
  const hasMap = (workspace: string) => isOn() && tokens() > 0 && isTrusted(foundation, workspace);
  const maps = openSessionRepositoryMaps((workspace, query, mayShow) => indexes.map(workspace, { query, tokens: tokens() }, mayShow));
  return {
    search: indexes.search,
    map: async (session, query, mayShow) => (hasMap(session.workspace) ? maps(session, query, mayShow) : ""),
    missing: () => (isOn() ? undefined : "the setting codebaseIndex is off"),
    prepare: (workspace) => {
      if (hasMap(workspace)) indexes.prepare(workspace);
    },
    close: indexes.close,
  };
}
