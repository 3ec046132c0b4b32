/** `offerRemove` and `offerRestore` follow an archived session and one that is no longer archived. */
export type PlaceDialogKind = "apply" | "setup" | "remove" | "offerRemove" | "offerRestore";
