import type { Api } from "../connection/connection-types.ts";
import type { Place } from "../store/data/place-folders.ts";

/** Takes back what was applied last, and returns a sentence about the result. */
export async function revertAppliedChanges(api: Api, { id }: Pick<Place, "id">): Promise<string> {
  const { applied, left } = await api.place.revertChanges.mutate({ place: id });
  const done = `${applied.length === 1 ? "1 file was" : `${applied.length} files were`} taken back.`;
  return left.length === 0 ? done : `${done} Not taken back: ${left.map(({ path, why }) => `${path} (${why})`).join(", ")}.`;
}
