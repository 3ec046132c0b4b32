import { useApp, useObservableValue } from "../app-context.ts";
import { placeOf, type Place } from "./place-folders.ts";

/** The place of a folder, kept up to date. */
export function usePlace(folder: string): Place | undefined {
  return placeOf(useObservableValue(useApp().lists.places), folder);
}
