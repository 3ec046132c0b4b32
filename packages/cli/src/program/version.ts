import { buildId, daemonProgram, type Discovery } from "@baton/daemon/client";

/** The version of this client. The daemon reports its own. */
export const VERSION = "0.1.0";

/** Whether the daemon runs another build of this version than this client would start. */
export const isOtherBuild = ({ build, version }: Pick<Discovery, "build" | "version">): boolean => {
  const own = build === undefined || version !== VERSION ? undefined : buildId(daemonProgram());
  return own !== undefined && own !== build;
};

export const BUILD_MISMATCH =
  "The daemon runs another build than this client. `baton daemon restart` starts this build; open requests are kept.";
