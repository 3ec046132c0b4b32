import { execFileSync } from "node:child_process";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import * as vscode from "vscode";
import { gitRepositories } from "../../src/scm/git-api.ts";
import { begin, beside, connected, extension, folder, openDiff, textOf, uriOf, until } from "./bench.ts";

const {
  EDIT_SCRIPT = "",
  OTHER_SCRIPT = "",
  UNSAVED_SCRIPT = "",
  TERMINAL_SCRIPT = "",
  DIAGNOSED_SCRIPT = "",
  HUNKS_SCRIPT = "",
} = process.env;

/** How long a new diff accepts no answer. */
const QUIET_MS = 450;

export const cases: Record<string, () => Promise<void>> = {
  "it is active at once, and finds or starts the daemon by itself": async () => {
    const { activationMs } = await extension();
    console.log(`[test] activation took ${activationMs.toFixed(1)} ms`);
    await connected();
  },

  "every command of the manifest is there": async () => {
    await extension();
    const { contributes } = manifest();
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).filter((command) => !known.has(command)),
      [],
    );
  },

  "a change of a file is approved in the editor's own diff, and the diff goes when it is answered": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    await begin(client.it, EDIT_SCRIPT);
    const { input } = await until(openDiff);
    const [before, after] = await Promise.all([input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)));
    assert.equal(before?.getText(), "one\ntwo\nthree\n");
    assert.equal(after?.getText(), "one\nTWO\nthree\n");
    await passed(QUIET_MS);
    await vscode.commands.executeCommand("baton.request.once", input.modified);
    await until(() => openDiff() === undefined);
    await until(() => textOf("a.txt") === "one\nTWO\nthree\n");
    await until(() => lists.sessionsHere[0]?.status === "idle");
  },

  "a change that is denied leaves the file as it is": async () => {
    await connected();
    await using client = disposing(await beside());
    const id = await begin(client.it, OTHER_SCRIPT);
    const { input } = await until(openDiff);
    await passed(QUIET_MS);
    await denyWithoutNote(input.modified);
    assert.equal(textOf("b.txt"), "left\n");
    const { events } = await client.it.api.session.open.query({ sessionId: id });
    const answer = events.find((event) => event.type === "request.answered");
    assert.deepEqual(answer?.answer.choice, "deny");
    assert.match(answer?.answer.hash ?? "", /^[0-9a-f]{64}$/, "the answer is bound to what was shown");
    assert.deepEqual(answer?.by, { person: "editor" });
  },

  "an answer that comes as soon as the diff is up counts for nothing": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    await begin(client.it, OTHER_SCRIPT);
    const { input } = await until(openDiff);
    await vscode.commands.executeCommand("baton.request.once", input.modified);
    assert.equal(lists.inbox?.length, 1, "the request still waits");
    await passed(QUIET_MS);
    await denyWithoutNote(input.modified);
  },

  "a request that somebody else answered takes its diff away": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    await begin(client.it, OTHER_SCRIPT);
    await until(openDiff);
    const [item] = lists.inbox ?? [];
    assert.ok(item?.hash);
    await client.it.api.request.answer.mutate({
      commandId: crypto.randomUUID(),
      requestId: item.id,
      answer: { choice: "deny", hash: item.hash },
    });
    await until(() => openDiff() === undefined);
  },

  "a file with unsaved changes is seen as it is in the editor, and what is allowed joins them on the disk": async () => {
    await connected();
    await using client = disposing(await beside());
    const uri = uriOf("c.txt");
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(1, 0), "mine\n");
    await vscode.workspace.applyEdit(typing);
    assert.ok(document.isDirty);
    await begin(client.it, UNSAVED_SCRIPT);
    const { input } = await until(openDiff);
    const [before, after] = await Promise.all([input.original, input.modified].map((side) => vscode.workspace.openTextDocument(side)));
    assert.deepEqual([before?.getText(), after?.getText()], ["saved\nmine\n", "saved\nours\n"]);
    assert.equal(textOf("c.txt"), "saved\n");
    await passed(QUIET_MS);
    await vscode.commands.executeCommand("baton.request.once", input.modified);
    await until(() => textOf("c.txt") === "saved\nours\n");
    await until(() => !document.isDirty && document.getText() === "saved\nours\n");
  },

  "the files are restored to before a prompt of the session": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    const before = textOf("b.txt");
    const id = await begin(client.it, OTHER_SCRIPT);
    const item = await until(() => lists.inbox?.find(({ sessionId }) => sessionId === id));
    await client.it.api.request.answer.mutate({
      commandId: crypto.randomUUID(),
      requestId: item.id,
      answer: { choice: "once", hash: item.hash ?? "" },
    });
    await until(() => textOf("b.txt") === "right\n");
    await until(() => lists.sessionsHere[0]?.id === id && lists.sessionsHere[0].status === "idle");
    const restoring = vscode.commands.executeCommand("baton.restoreFiles");
    await until(async () => {
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem"); // the newest prompt, then only the files
      await passed(50);
      return textOf("b.txt") === before;
    });
    await restoring;
    const { events } = await client.it.api.session.open.query({ sessionId: id });
    assert.deepEqual(
      events.flatMap((event) => (event.type === "undo.started" ? event.files.map(({ path }) => path) : [])),
      ["b.txt"],
    );
    assert.ok(!events.some(({ type }) => type === "session.rewound"));
  },

  "the terminal of a command opens in the editor, and the user types into it": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    const { api } = client.it;
    const id = await begin(client.it, TERMINAL_SCRIPT);
    const item = await until(() => lists.inbox?.find(({ sessionId }) => sessionId === id));
    await api.request.answer.mutate({
      commandId: crypto.randomUUID(),
      requestId: item.id,
      answer: { choice: "once", hash: item.hash ?? "" },
    });
    await until(() => lists.sessionsHere[0]?.id === id && lists.sessionsHere[0].status === "idle");
    const before = vscode.window.terminals.length;
    await vscode.commands.executeCommand("baton.openTerminal");
    const terminal = await until(() => vscode.window.terminals[before]);
    assert.equal(terminal.name, "cat > typed.txt");
    terminal.sendText("from the editor");
    await until(() => textOf("typed.txt") === "from the editor\n");
    const [row] = await api.command.list.query({ sessionId: id });
    assert.deepEqual([row?.status, row?.terminal], ["running", true]);
    await api.command.stop.mutate({ commandId: crypto.randomUUID(), sessionId: id, id: row?.id ?? "" });
    terminal.dispose();
  },

  "a commit message is written into the input box for what is staged, and nothing is committed": async () => {
    await connected();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder(), encoding: "utf8" });
    git("add", "a.txt");
    const before = git("status", "--porcelain", "--branch");
    const [repository] = await until(async () => {
      const found = await gitRepositories();
      return found && found.length > 0 && found;
    });
    assert.ok(repository);
    repository.inputBox.value = "mine";
    await vscode.commands.executeCommand("baton.commitMessage", { rootUri: repository.rootUri });
    assert.equal(repository.inputBox.value, "Change files");
    assert.equal(git("status", "--porcelain", "--branch"), before);
    assert.match(before, /No commits yet/);
    assert.match(before, /^A {2}a\.txt$/m);
  },

  "a problem of a file can be handed over": async () => {
    await connected();
    const uri = uriOf("b.txt");
    const problems = vscode.languages.createDiagnosticCollection("test");
    const range = new vscode.Range(0, 0, 0, 4);
    problems.set(uri, [new vscode.Diagnostic(range, "No such thing.")]);
    await vscode.window.showTextDocument(uri);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range);
    assert.ok(actions.some(({ title, command }) => title === "Fix with Baton" && command?.command === "baton.fix"));
    problems.dispose();
  },

  "the errors that the editor finds after an edit of a session count as new errors, and earlier ones do not": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    const { api } = client.it;
    const problems = vscode.languages.createDiagnosticCollection("test");
    const diagnose = (document: vscode.TextDocument) => {
      if (document.uri.path !== uriOf("e.txt").path) return;
      const lines = document.getText().split("\n");
      const bad = lines.flatMap((text, line) => (text.includes("bad") ? [new vscode.Range(line, 0, line, text.length)] : []));
      const found = bad.map((range) => new vscode.Diagnostic(range, "This is bad."));
      setTimeout(() => problems.set(document.uri, found), 100);
    };
    const listening = [
      problems,
      vscode.workspace.onDidOpenTextDocument(diagnose),
      vscode.workspace.onDidChangeTextDocument(({ document }) => diagnose(document)),
      vscode.languages.registerDocumentSymbolProvider(
        { pattern: "**/e.txt" },
        {
          provideDocumentSymbols: () => [
            new vscode.DocumentSymbol("text", "", vscode.SymbolKind.File, new vscode.Range(0, 0, 0, 1), new vscode.Range(0, 0, 0, 1)),
          ],
        },
      ),
    ];
    const id = await begin(client.it, DIAGNOSED_SCRIPT);
    const item = await until(() => lists.inbox?.find(({ sessionId }) => sessionId === id));
    const answer = { choice: "once", hash: item.hash ?? "" };
    await api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: item.id, answer });
    const reported = await until(async () => {
      const { events } = await api.session.open.query({ sessionId: id });
      return events.find((event) => event.type === "diagnostics.reported");
    });
    assert.match(reported.calls[0]?.text ?? "nothing", /^This edit caused 1 new error:\ne\.txt:3:1: This is bad\.\n/);
    for (const each of listening) each.dispose();
  },

  "the changes of a session are marked in the editor: one is accepted, one rejected, and the rest of the file stays": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    const uri = uriOf("d.txt");
    const before = textOf("d.txt");
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    const id = await begin(client.it, HUNKS_SCRIPT);
    const allow = await until(() => lists.inbox?.find(({ sessionId }) => sessionId === id));
    await client.it.api.request.answer.mutate({
      commandId: crypto.randomUUID(),
      requestId: allow.id,
      answer: { choice: "session", hash: allow.hash ?? "" },
    });
    const lenses = async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 100);
      return found.flatMap(({ command, range }) => (command ? [{ title: command.title, line: range.start.line, command }] : []));
    };
    const shown = async (count: number) => {
      const deadline = Date.now() + 12_000;
      for (;;) {
        const found = await lenses();
        if (found.length === count) return found;
        const lines = found.map(({ title, line }) => `${line} ${title}`).join(", ");
        if (Date.now() > deadline)
          assert.fail(`${count} actions were expected, and there are ${found.length}: ${lines}. Text: ${textOf("d.txt")}`);
        await passed(50);
      }
    };
    const first = await shown(9);
    assert.deepEqual(
      first.filter(({ line }) => line === 1).map(({ title }) => title),
      ["$(check) Accept", "$(discard) Reject", "$(diff) +1 −1"],
    );
    assert.deepEqual([...new Set(first.map(({ line }) => line))], [1, 14, 26]);

    const click = ({ command }: { command: vscode.Command }) =>
      vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
    const [accept] = first.filter(({ title }) => title.includes("Accept"));
    assert.ok(accept);
    await click(accept);
    assert.deepEqual([...new Set((await shown(6)).map(({ line }) => line))], [14, 26]);

    await until(async () => {
      const editor = await vscode.window.showTextDocument(document, { preview: false }); // the diff that closes can take the focus
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await vscode.commands.executeCommand("baton.hunk.next");
      return editor.selection.active.line === 14;
    });
    const reject = (await shown(6)).find(({ title, line }) => line === 14 && title.includes("Reject"));
    assert.ok(reject);
    await click(reject);
    await shown(3);
    assert.equal(textOf("d.txt"), before.replace("line 2\n", "two\n").replace("line 29\n", "29\nand more\n"));
    await until(() => !document.isDirty && document.getText() === textOf("d.txt"));
    assert.equal((await client.it.api.session.changes.query({ sessionId: id }))[0]?.view?.hunks.length, 2);

    const [compare] = (await shown(3)).filter(({ title }) => title.includes("$(diff)"));
    assert.ok(compare);
    await click(compare);
    const diff = await until(() => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputTextDiff && input.original.scheme === "baton-change" ? input : undefined;
    });
    assert.equal((await vscode.workspace.openTextDocument(diff.original)).getText(), before);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");

    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(0, 0), "mine\n");
    await vscode.workspace.applyEdit(typing);
    await shown(0);
    const removing = new vscode.WorkspaceEdit();
    removing.delete(uri, new vscode.Range(0, 0, 1, 0));
    await vscode.workspace.applyEdit(removing);
    await document.save();
    await shown(3);
    await until(async () => {
      await vscode.window.showTextDocument(document, { preview: false });
      await vscode.commands.executeCommand("baton.file.accept");
      return (await lenses()).length === 0;
    });
  },

  "a session in a place of the folder is listed, and one in another repository is not": async () => {
    const { lists } = await connected();
    await using client = disposing(await beside());
    const { api } = client.it;
    const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder() });
    git("commit", "--quiet", "--allow-empty", "--message", "First");
    await api.workspace.trust.mutate({ commandId: crypto.randomUUID(), cwd: folder(), trusted: true });
    const place = await api.place.create.mutate({ commandId: crypto.randomUUID(), cwd: folder(), name: "fix" });
    const elsewhere = mkdtempSync(path.join(tmpdir(), "baton-elsewhere-"));
    const { id: other } = await api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: elsewhere });
    const { id } = await api.session.create.mutate({ commandId: crypto.randomUUID(), workspace: place.workspace });
    await until(() => lists.sessionsHere.some((row) => row.id === id));
    assert.ok(!lists.sessionsHere.some((row) => row.id === other));
    await api.session.delete.mutate({ commandId: crypto.randomUUID(), sessionId: id });
    await api.session.delete.mutate({ commandId: crypto.randomUUID(), sessionId: other });
    rmSync(elsewhere, { recursive: true });
    await until(() => !lists.sessionsHere.some((row) => row.id === id));
    await api.place.remove.mutate({ commandId: crypto.randomUUID(), place: place.id });
  },
};

/** Denies, and accepts the empty input box for a note as soon as it appears. */
async function denyWithoutNote(uri: vscode.Uri): Promise<void> {
  const denied = vscode.commands.executeCommand("baton.request.deny", uri);
  while (openDiff() !== undefined) {
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await passed(100);
  }
  await denied;
}

const manifest = (): { contributes: { commands: { command: string }[] } } =>
  vscode.extensions.getExtension("baton.baton-vscode")?.packageJSON as ReturnType<typeof manifest>; // the packed one

/** Closes a client at the end of its block. */
const disposing = <T extends { close: () => Promise<void> }>(it: T): { it: T } & AsyncDisposable => ({
  it,
  [Symbol.asyncDispose]: () => it.close(),
});
