import type { FromPage, WebviewInitData, ToPage } from "@baton/core/protocol/connection/webview-messages";

/** The editor around the page. */
export type EditorHost = WebviewInitData & {
  say: (message: FromPage) => void;
  /** Passes messages of the editor to `hear`. */
  listen: (handle: (message: ToPage) => void) => void;
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
  const hostData = document.querySelector<HTMLMetaElement>('meta[name="baton-host"]')?.content;
  if (hostData === undefined || globalThis.acquireVsCodeApi === undefined) return undefined;
  const editor = globalThis.acquireVsCodeApi();
  return {
    ...(JSON.parse(hostData) as WebviewInitData), // written by the extension of the same build
    say: (message) => editor.postMessage(message),
    listen: (handle) => addEventListener("message", ({ data }: MessageEvent<ToPage>) => handle(data)),
    store: editorStore(editor),
  };
}

function editorStore(editor: Editor): EditorHost["store"] {
  const first = editor.getState();
  const stored: Record<string, unknown> = typeof first === "object" && first !== null ? { ...first } : {};
  return {
    getItem: (key) => {
      const value = stored[key];
      return typeof value === "string" ? value : null;
    },
    setItem: (key, value) => {
      stored[key] = value;
      editor.setState(stored);
    },
    removeItem: (key) => {
      delete stored[key];
      editor.setState(stored);
    },
  };
}
