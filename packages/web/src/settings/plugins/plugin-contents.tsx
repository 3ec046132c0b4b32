import type { PluginItem } from "@baton/core/protocol/config/plugin";
import { visibleLine } from "@baton/core/text/sanitize";

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
                <code dir="ltr">{visibleLine(name)}</code> <span className="dim">{visibleLine(file)}</span>
                {detail === "" ? undefined : <p dir="ltr">{visibleLine(detail)}</p>}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {notes.map((note) => (
        <p key={note} className="dim">
          {visibleLine(note)}
        </p>
      ))}
    </div>
  );
}
