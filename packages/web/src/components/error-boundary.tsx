import { Component, type ReactNode } from "react";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { sanitize } from "@baton/core/text/sanitize";

type Props = { title: string; children: ReactNode };

/** Shows an error of its children in their place, so that the rest of the page continues. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? "unknown error" };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="pane" role="alert">
        <h1>{this.props.title}</h1>
        <p>Your sessions continue, and drafts are kept. {sanitize(errorMessage(error))}</p>
        <button type="button" className="btn solid" onClick={() => location.reload()}>
          Reload the page
        </button>
      </div>
    );
  }
}
