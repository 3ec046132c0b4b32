import type { FromPage, Hosted, ToPage } from "@baton/core/protocol/webview-messages";

/** The editor around the page. */
export type EditorHost = Hosted & {
  say: (message: FromPage) => void;
  /** Passes messages of the editor to `hear`. */
  listen: (hear: (message: ToPage) => void) => void;
  /** Storage of the editor, which survives hiding the view and reloading the window. */
  store: Pick<Storage, "getItem" | "setItem" | "removeItem">;
};

type Editor = { postMessage: (message: unknown) => void; getState: () => unknown; setState: (state: unknown) => void };

declare global {
  /** VS Code provides this in a webview. It can be called once. */
  // eslint-disable-next-line no-var
  var acquireVsCodeApi: (() => Editor) | undefined;
}

/** The editor around this page, if there is one. */
export function findEditorHost(document: Document): EditorHost | undefined {
  const given = document.querySelector<HTMLMetaElement>('meta[name="baton-host"]')?.content;
  if (given === undefined || globalThis.acquireVsCodeApi === undefined) return undefined;
  const editor = globalThis.acquireVsCodeApi();
  return {
    ...(JSON.parse(given) as Hosted), // written by the extension of the same build
    say: (message) => editor.postMessage(message),
    listen: (hear) => addEventListener("message", ({ data }: MessageEvent<ToPage>) => hear(data)),
    store: storeOf(editor),
  };
}

function storeOf(editor: Editor): EditorHost["store"] {
  const first = editor.getState();
  const kept: Record<string, unknown> = typeof first === "object" && first !== null ? { ...first } : {};
  return {
    getItem: (key) => {
      const value = kept[key];
      return typeof value === "string" ? value : null;
    },
    setItem: (key, value) => {
      kept[key] = value;
      editor.setState(kept);
    },
    removeItem: (key) => {
      delete kept[key];
      editor.setState(kept);
    },
  };
}
