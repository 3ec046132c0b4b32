import { oneLine } from "@baton/core/text/clean";
import { hrefOf } from "../store/route.ts";
import { Banner } from "../view/banner.tsx";
import { Icon } from "../view/icon.tsx";

/** A session that cannot be opened, and what to do. */
export function Missing({ problem = "" }: { problem: string | undefined }) {
  return (
    <main className="main">
      <header className="bar">
        <a className="btn quiet icon menu-btn" href={hrefOf({ page: "home" })} aria-label="Inbox and sessions">
          <Icon name="chevron-left" />
        </a>
      </header>
      <Banner seq={undefined} />
      <div className="pane flat">
        <h1>This session cannot be opened</h1>
        <p>{oneLine(problem)}</p>
        <ol className="steps">
          <li>
            <span>
              <a href={hrefOf({ page: "home" })}>Begin another one</a>, or take one from the list
            </span>
          </li>
          <li>
            <span>
              Put away? <code>baton sessions --archived</code> lists those too; so does the search here
            </span>
          </li>
        </ol>
      </div>
    </main>
  );
}
