import { oneLine } from "@baton/core/text/sanitize";
import type { Api } from "../../connection/connection-types.ts";
import { PluginContents } from "./plugin-contents.tsx";

export type FetchedPlugin = Awaited<ReturnType<Api["plugin"]["fetch"]["mutate"]>>;

type OfferProps = { offer: FetchedPlugin; isBusy: boolean; onApprove: (hash: string) => void; onClose: () => void };

/** A fetched plugin with its contents, or with the difference from the installed version. */
export function PluginOfferCard({ offer, isBusy, onApprove, onClose }: OfferProps) {
  const { name, version, source, pinned, hash, items, notes, changes } = offer;
  const files = changes && [
    ...changes.files.added.map((file) => `new: ${file}`),
    ...changes.files.removed.map((file) => `removed: ${file}`),
    ...changes.files.changed.map((file) => `changed: ${file}`),
  ];
  const isSame = files !== null && files.length === 0;
  return (
    <section className="plugin-offer" aria-label={`Contents of ${name}`}>
      <h2>
        {name} <span className="dim">{version === null ? "" : oneLine(version)}</span>
      </h2>
      <p className="dim">
        From {oneLine(source)}
        {pinned === "" ? "" : `, ${oneLine(pinned)}`}, hash {hash.slice(0, 16)}
      </p>
      {isSame ? <p>The installed version is up to date.</p> : undefined}
      {changes && !isSame ? (
        <>
          {changes.removed.length === 0 ? undefined : <h3>Removed</h3>}
          <PluginContents items={changes.removed} />
          {changes.added.length === 0 ? undefined : <h3>Added</h3>}
          <PluginContents items={changes.added} notes={notes} />
          <ul>
            {files?.map((file) => (
              <li key={file}>{oneLine(file)}</li>
            ))}
          </ul>
        </>
      ) : undefined}
      {changes ? undefined : <PluginContents items={items} notes={notes} />}
      <p className="dim">
        Its language servers run with your permissions. Its hooks and MCP servers do so too, after one more question each.
      </p>
      <p className="status">
        {isSame ? undefined : (
          <button type="button" className="btn" disabled={isBusy} onClick={() => onApprove(hash)}>
            {changes ? "Install this version" : "Install"}
          </button>
        )}
        <button type="button" className="btn" onClick={onClose}>
          {isSame ? "Close" : "Do not install"}
        </button>
      </p>
    </section>
  );
}
