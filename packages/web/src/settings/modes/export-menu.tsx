import { useApp, useConnected } from "../../store/app-context.ts";
import { Icon } from "../../components/icon.tsx";
import { Menu, MenuItem } from "../../components/menu.tsx";
import { saveFile } from "../../components/save-file.ts";
import type { ListedMode } from "./use-modes.ts";

const FORMATS = { own: "Baton", roo: "Roo Code", claude: "Claude Code", opencode: "opencode" } as const;
const NAMES = ["own", "roo", "claude", "opencode"] as const;

/** Exports a mode as a file, and shows what the format cannot express. */
export function ExportMenu({ mode: { slug }, cwd }: { mode: ListedMode; cwd: string }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const give = async (format: (typeof NAMES)[number]) => {
    const { text, fileName, lost } = await link.api.mode.export.query({ cwd, slug, format });
    saveFile(fileName, text, "text/plain");
    if (lost.length > 0) tell(`Not exported: ${lost.join(" ")}`);
  };
  return (
    <Menu
      label="Export"
      up
      className="btn quiet"
      disabled={!connected}
      button={
        <>
          Export
          <Icon name="chevron-down" small />
        </>
      }
    >
      {(close) =>
        NAMES.map((format) => (
          <MenuItem
            key={format}
            onPick={() => {
              close();
              void give(format).catch(tell);
            }}
          >
            <Icon name="desktop-download" />
            <span>for {FORMATS[format]}</span>
          </MenuItem>
        ))
      }
    </Menu>
  );
}
