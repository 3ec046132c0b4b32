import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { EditorHost } from "../../connection/editor-host.ts";
import type { AppServices } from "../app-context.ts";
import { parseRoute, sessionIdOfRoute } from "../route.ts";

/** Handles commands of the editor, and opens files in the editor. */
export function handleHostCommands(
  host: EditorHost,
  { route, drafts, lists, mentions }: Pick<AppServices, "route" | "drafts" | "lists" | "mentions">,
): void {
  host.listen((message) => {
    if (message.kind === "go") go(message.place);
    if (message.kind === "insert") insert(message.text);
    if (message.kind === "mentions") mentions.set(message.mentions);
  });
  document.addEventListener("click", ({ target }) => {
    const { path, line } = (target instanceof Element ? target.closest<HTMLElement>("[data-path]")?.dataset : undefined) ?? {};
    if (path === undefined) return;
    const shown = sessionIdOfRoute(route.get());
    const row = lists.sessions.get()?.find(({ id }) => id === shown);
    host.say({ kind: "open", path, ...(line ? { line: Number(line) } : {}), ...omitUndefined({ workspace: row?.workspace }) });
  });

  /** Goes to a route. In the inbox it focuses the oldest request. */
  function go(hash: string): void {
    route.go(parseRoute(hash));
    if (route.get().page === "home") requestAnimationFrame(() => document.querySelector<HTMLElement>(".inbox .item")?.focus());
  }

  function insert(text: string): void {
    if (route.get().page === "home") route.go({ page: "new" });
    const at = route.get();
    const draft = drafts.of(at.page === "session" ? at.id : "new");
    const before = draft.get();
    draft.set(before === "" || before.endsWith("\n") || before.endsWith(" ") ? before + text : `${before} ${text}`);
    requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>("form.box textarea")?.focus());
  }
}
