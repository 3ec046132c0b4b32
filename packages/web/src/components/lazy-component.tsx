import { lazy, type ComponentType } from "react";
import { ErrorBoundary } from "./error-boundary.tsx";
import { loadChunk } from "./load-chunk.ts";

/** A component that is not part of the first load. It loads with its first use, inside a `Suspense`. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await loadChunk(load) })) as unknown as ComponentType<Props>;
  return (props) => (
    <ErrorBoundary title="This part of the page did not load">
      <Part {...props} />
    </ErrorBoundary>
  );
}
