import { TestDaemon, type DaemonOptions } from "../daemon.ts";
import { makeRepository } from "./repository.ts";

/** A daemon whose workspace is a trusted git repository with these files. */
export async function startInRepository(files?: Record<string, string>, options?: DaemonOptions) {
  const daemon = await TestDaemon.start(options);
  makeRepository(daemon.workspace, files);
  return { daemon, ...(await openFor(daemon, daemon.workspace)) };
}

/** A client that trusts a folder and creates places of it. */
export async function openFor(daemon: TestDaemon, folder: string) {
  const { api } = daemon.connect();
  await api.workspace.trust.mutate({ cwd: folder, trusted: true });
  const create = (more: { name?: string; base?: string; branch?: string; cwd?: string } = {}) =>
    api.place.create.mutate({ cwd: folder, ...more });
  return { api, create };
}
