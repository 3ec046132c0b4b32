import type { Api } from "../../../src/client/index.ts";

type Update = { kind: "held"; holder: string } | ({ kind: "look" } & Look);
export type Look = { id: string; moment: "before" | "after"; files: readonly string[]; withinMs: number };
export type FileErrors = { path: string; errors: { line: number; column: number; message: string }[] };

/** Answers a look of Baton. Undefined: it does not answer. */
export type Answer = (look: Look, editor: DiagnosingEditor) => FileErrors[] | undefined;

/** A client that offers diagnostics of the folders that it has open, like an editor. */
export class DiagnosingEditor implements Disposable {
  readonly looks: Look[] = [];
  readonly #api: Api;
  readonly #following: { unsubscribe: () => void };
  #holder = "";

  private constructor(api: Api, folders: string[], answer: Answer, attached: () => void) {
    this.#api = api;
    this.#following = api.diagnostics.follow.subscribe(
      { folders },
      {
        onData: (update: Update) => {
          if (update.kind === "held") {
            this.#holder = update.holder;
            return attached();
          }
          this.looks.push(update);
          const files = answer(update, this);
          if (files) this.put(update.id, files).catch(() => undefined); // the daemon may have stopped
        },
      },
    );
  }

  /** Resolves when Baton knows the editor. */
  static attach(api: Api, folders: string[], answer: Answer): Promise<DiagnosingEditor> {
    return new Promise((resolve) => {
      const editor: DiagnosingEditor = new DiagnosingEditor(api, folders, answer, () => resolve(editor));
    });
  }

  put(look: string, files: FileErrors[], holder = this.#holder): Promise<void> {
    return this.#api.diagnostics.put.mutate({ holder, look, files });
  }

  leave(): undefined {
    this.#following.unsubscribe();
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}
