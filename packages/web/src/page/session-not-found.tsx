import { oneLine } from "@baton/core/text/sanitize";
import { hrefOf } from "../store/route.ts";
import { Back } from "../components/back-button.tsx";
import { Banner } from "../components/banner.tsx";

/** A session that cannot be opened, and what to do. */
export function Missing({ problem = "" }: { problem: string | undefined }) {
  return (
    <main className="main">
      <header className="bar">
        <Back />
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
