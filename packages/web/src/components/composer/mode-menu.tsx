import { userSelectable } from "@baton/core/mode/user-selectable";
import { oneLine } from "@baton/core/text/sanitize";
import { useConnected } from "../../store/app-context.ts";
import { useModes } from "../../store/folder-context.ts";
import { Icon } from "../icon.tsx";
import { Menu, MenuItem } from "../menu.tsx";
import { useModeStyle } from "./mode-name.tsx";

type Props = {
  mode: string;
  onMode: (mode: string) => void;
  /** Asks the coordinator for a mode; undefined if there is no session yet. */
  onCoordinate?: (() => void) | undefined;
};

/** Shows the mode and lets the user choose another one. */
export function ModeMenu({ mode, onMode, onCoordinate }: Props) {
  const modes = useModes().filter(userSelectable);
  const connected = useConnected();
  const { colorClassName, icon } = useModeStyle(mode);
  return (
    <Menu
      label={`Mode: ${mode}`}
      title="Mode (Shift+Tab)"
      up
      className={`btn quiet mode ${colorClassName}`}
      disabled={!connected}
      button={
        <>
          <Icon name={icon} small />
          {oneLine(mode)}
          <Icon name="chevron-down" small className="dim" />
        </>
      }
    >
      {(close) => [
        ...modes.map(({ slug, name, description }) => (
          <MenuItem
            key={slug}
            chosen={slug === mode}
            onPick={() => {
              close();
              if (slug !== mode) onMode(slug);
            }}
          >
            <ModeLine slug={slug} description={description || name} />
          </MenuItem>
        )),
        onCoordinate === undefined || mode === "coordinator" ? undefined : (
          <MenuItem
            key=" coordinate"
            onPick={() => {
              close();
              onCoordinate();
            }}
          >
            <Icon name="question" />
            <span className="strong">Ask the coordinator which mode fits</span>
          </MenuItem>
        ),
      ]}
    </Menu>
  );
}

function ModeLine({ slug, description }: { slug: string; description: string }) {
  const { icon, colorClassName } = useModeStyle(slug);
  return (
    <>
      <Icon name={icon} className={colorClassName} />
      <span className="strong">{oneLine(slug)}</span>
      <span className="sub">{oneLine(description)}</span>
    </>
  );
}
