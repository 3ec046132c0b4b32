import type { FromPage, Hosted, ToPage } from "@baton/core/protocol/webview-messages";

/** The editor around the page, for a page that an extension draws. */
export type EditorHost = Hosted & {
  say: (message: FromPage) => void;
  /** Gives what the host says to `hear`, until the page goes. */
  listen: (hear: (message: ToPage) => void) => void;
  /** What the editor keeps for this view while it is hidden, and after a reload of the window. */
  store: Pick<Storage, "getItem" | "setItem" | "removeItem">;
};

type Editor = { postMessage: (message: unknown) => void; getState: () => unknown; setState: (state: unknown) => void };

declare global {
  /** Given by VS Code inside a webview; it may be called once. */
  // eslint-disable-next-line no-var
  var acquireVsCodeApi: (() => Editor) | undefined;
}

/** The host of this page, if it is drawn inside an editor. */
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
