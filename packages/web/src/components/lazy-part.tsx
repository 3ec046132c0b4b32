import { lazy, type ComponentType } from "react";
import { ErrorBoundary } from "./error-boundary.tsx";
import { loadPart } from "./load-part.ts";

/** A component that is not part of the first load. It loads with its first use, inside a `Suspense`. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await loadPart(load) })) as unknown as ComponentType<Props>;
  return (props) => (
    <ErrorBoundary title="This part of the page did not load">
      <Part {...props} />
    </ErrorBoundary>
  );
}
