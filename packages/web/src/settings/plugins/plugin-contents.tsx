import type { PluginItem } from "@baton/core/protocol/config/plugin";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";

/** A text on one line in which nothing is hidden. */
const visible = (text: string): string => oneLine(escapeInvisible(text));

/** The parts of a plugin by kind, with their exact commands. `notes`: the parts that have no effect. */
export function PluginContents({ items, notes = [] }: { items: readonly PluginItem[]; notes?: readonly string[] }) {
  return (
    <div className="plugin-contents">
      {[...Map.groupBy(items, ({ kind }) => kind)].map(([kind, list]) => (
        <section key={kind}>
          <h3>{kind}s</h3>
          <ul>
            {list.map(({ name, detail, file }, i) => (
              <li key={`${name} ${i}`}>
                <code dir="ltr">{visible(name)}</code> <span className="dim">{visible(file)}</span>
                {detail === "" ? undefined : <p dir="ltr">{visible(detail)}</p>}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {notes.map((note) => (
        <p key={note} className="dim">
          {visible(note)}
        </p>
      ))}
    </div>
  );
}
