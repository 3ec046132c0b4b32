import { oneLine } from "@baton/core/text/sanitize";
import type { AppServices } from "../store/app-context.ts";
import type { PaletteAction } from "../store/palette-actions.ts";
import type { Place } from "../store/data/place-folders.ts";
import { baseName } from "../components/text/strings.ts";
import type { PlaceDialogKind } from "./place-dialog-kind.ts";
import { revertAppliedChanges } from "./revert-applied-changes.ts";

type Options = {
  place: Place;
  api: AppServices["link"]["api"];
  onDialog: (dialog: PlaceDialogKind) => void;
  /** Opens the changes since the base. Undefined where no session shows them. */
  review: (() => void) | undefined;
  tell: AppServices["tell"];
};

/** The actions that the status of a place allows. The panel of the place and the command palette have the same actions. */
export function placeActions({ place, api, onDialog, review, tell }: Options): PaletteAction[] {
  const { id, name, checkout, status, applied } = place;
  const target = oneLine(baseName(checkout));
  const remove: PaletteAction = { icon: "trash", label: "Remove the place", run: () => onDialog("remove") };
  switch (status) {
    case "ready":
      return [
        ...(review ? [{ icon: "diff", label: "Changes since base", run: review }] : []),
        { icon: "git-merge", label: `Apply to ${target}`, run: () => onDialog("apply") },
        ...(applied.length === 0
          ? []
          : [
              {
                icon: "discard",
                label: `Take back from ${target}`,
                run: () => revertAppliedChanges(api, place).then(tell),
              } satisfies PaletteAction,
            ]),
        {
          icon: "save",
          label: "Save snapshot",
          run: () =>
            api.place.save.mutate({ place: id }).then(() => tell(`The place ${name} is saved. Removing it loses nothing of this.`)),
        },
        { icon: "tools", label: "Set up the place", run: () => onDialog("setup") },
        remove,
      ];
    case "failed":
      return [remove];
    case "removed":
      return [
        {
          icon: "history",
          label: "Restore the place",
          run: () => api.place.restore.mutate({ place: id }).then(() => tell(`The place ${name} is back as it was.`)),
        },
      ];
    case "interrupted":
      return [
        {
          icon: "wrench",
          label: "Repair the place",
          run: () => api.place.repair.mutate({ place: id }).then((after) => tell(`The place ${name} is ${after.status}.`)),
        },
      ];
    case "creating":
    case "removing":
    case "restoring":
      return [];
  }
}
