import { oneLine } from "@baton/core/text/sanitize";
import type { FileEditor } from "../../store/data/edited-files.ts";
import { routeHref } from "../../store/route.ts";

/** Names the other sessions that changed a file, each as a link. */
export const EditedByOthers = ({ editors }: { editors: readonly FileEditor[] }) => (
  <span className="othereditors">
    Also changed by{" "}
    {editors.map(({ id, title }, i) => (
      <span key={id}>
        {i > 0 ? ", " : ""}
        <a href={routeHref({ page: "session", id })} dir="auto">
          {oneLine(title) || "(no prompt yet)"}
        </a>
      </span>
    ))}
  </span>
);
