import { Suspense } from "react";
import { oneLine } from "@baton/core/text/sanitize";
import type { Place } from "../store/data/place-folders.ts";
import { PLACE_STATUS } from "../components/place-label.tsx";
import { Icon } from "../components/icon.tsx";
import { Menu } from "../components/menu.tsx";
import type { PlaceDialogKind } from "./place-dialog-kind.ts";
import { lazyComponent } from "../components/lazy-component.tsx";

/** Rarely used, so it is not part of the first load. */
const PlacePanel = lazyComponent(async () => (await import("./place-panel.tsx")).PlacePanel);

type Props = { place: Place; sessionId: string; onDialog: (dialog: PlaceDialogKind) => void };

/** The place of a session: its name and branch, and a popup with its facts and actions. */
export function PlaceMenu({ place, sessionId, onDialog }: Props) {
  const { name, branch, status } = place;
  return (
    <Menu
      kind="dialog"
      label={`Place ${name} ${branch ?? "no branch"}${status === "ready" ? "" : ` ${PLACE_STATUS[status]}`}`}
      className="btn quiet small placebutton"
      button={
        <>
          <Icon name="git-branch" small />
          <span className="cut">
            <span className="vh">Place </span>
            {oneLine(name)}
          </span>{" "}
          <span className="cut dim wide-only">{oneLine(branch ?? "no branch")}</span>
          {status === "ready" ? undefined : <span className="tag">{PLACE_STATUS[status]}</span>}
        </>
      }
    >
      {(close) => (
        <Suspense fallback={<div className="placepanel" aria-busy="true" />}>
          <PlacePanel place={place} sessionId={sessionId} close={close} onDialog={onDialog} />
        </Suspense>
      )}
    </Menu>
  );
}
