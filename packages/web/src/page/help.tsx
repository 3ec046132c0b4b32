import { KEYS } from "../store/shortcuts.ts";
import { Dialog } from "../components/dialog.tsx";

/** All keys. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">{KEYS.map(([key, about]) => [<dt key={key}>{key}</dt>, <dd key={`${key} about`}>{about}</dd>])}</dl>
      <form method="dialog">
        <button className="btn">Close</button>
      </form>
    </Dialog>
  );
}
