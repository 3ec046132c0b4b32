import { hrefOf } from "../store/route.ts";

/** A session that cannot be opened, and what to do. */
export function Missing({ problem = "" }: { problem: string | undefined }) {
  return (
    <main className="main">
      <div className="pane">
        <h2>This session cannot be opened</h2>
        <p>{problem}</p>
        <p>
          <a href={hrefOf({ page: "home" })}>All sessions</a>
        </p>
      </div>
    </main>
  );
}
