import type { Page } from "playwright-core";
import { makeRepository } from "../../../daemon/test/support/git/repository.ts";
import type { DaemonOptions } from "../../../daemon/test/support/daemon.ts";
import { Opened } from "./opened.ts";

/** A daemon whose workspace is a trusted git repository with one commit, and a browser. */
export async function openedRepository(files?: Record<string, string>, options: DaemonOptions = {}): Promise<Opened> {
  const opened = await Opened.start(options);
  makeRepository(opened.daemon.workspace, files);
  await opened.daemon.connect().api.workspace.trust.mutate({ cwd: opened.daemon.workspace, trusted: true });
  return opened;
}

/** Sends a prompt from the form for a new session. */
export async function startSession(page: Page, prompt: string): Promise<void> {
  await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
}
