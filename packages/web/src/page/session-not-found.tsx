import { oneLine } from "@baton/core/text/sanitize";
import { routeHref } from "../store/route.ts";
import { BackButton } from "../components/back-button.tsx";
import { Banner } from "../components/banner.tsx";

/** A session that cannot be opened, and what to do. */
export function SessionNotFound({ problem = "" }: { problem: string | undefined }) {
  return (
    <main className="main">
      <header className="bar">
        <BackButton />
      </header>
      <Banner seq={undefined} />
      <div className="pane flat">
        <h1>This session cannot be opened</h1>
        <p>{oneLine(problem)}</p>
        <ol className="steps">
          <li>
            <span>
              <a href={routeHref({ page: "home" })}>Begin another one</a>, or take one from the list
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
