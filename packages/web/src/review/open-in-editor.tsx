import { useApp, useObservableValue } from "../store/app-context.ts";
import type { Appearance } from "../store/appearance.ts";
import { useSessionSnapshot } from "../store/session/session-context.ts";
import { Icon } from "../components/icon.tsx";
import { editorLink, isLocalPage } from "./editor-link.ts";

/** A link that opens a file in the editor of this browser's settings. There is none in an editor, which has its own paths, or elsewhere. */
export function OpenInEditor({ path, line }: { path: string; line: number }) {
  const { appearance } = useApp();
  return appearance && isLocalPage(location.hostname) ? <EditorLink appearance={appearance} path={path} line={line} /> : undefined;
}

function EditorLink({ appearance, path, line }: { appearance: Appearance; path: string; line: number }) {
  const { editor } = useObservableValue(appearance.value);
  const workspace = useSessionSnapshot(({ state }) => state.workspace);
  if (editor === "none") return undefined;
  return (
    <a
      className="btn quiet small icon"
      href={editorLink(editor, workspace, path, line)}
      aria-label="Open in the editor"
      title="Open in the editor"
    >
      <Icon name="go-to-file" small />
    </a>
  );
}
