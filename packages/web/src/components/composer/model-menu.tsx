import { oneLine } from "@baton/core/text/sanitize";
import { formatTokens, shortModelName } from "@baton/core/text/format";
import { useState } from "react";
import { useApp, useConnected, useObservableValue } from "../../store/app-context.ts";
import { Icon } from "../icon.tsx";
import { Menu, MenuItem } from "../menu.tsx";

type Props = { model: string | undefined; onModel: (model: string) => void };

const MAX_FROM_SESSIONS = 8;

/** Shows the model and lets the user choose a known one, one of other sessions, or any other by name. */
export function ModelMenu({ model, onModel }: Props) {
  const connected = useConnected();
  const choices = useChoices(model);
  return (
    <Menu
      kind="dialog"
      label={`Model: ${shortModelName(model)}`}
      title={model ?? "No model is chosen"}
      up
      disabled={!connected}
      button={
        <>
          <span className="cut">{oneLine(shortModelName(model))}</span>
          <Icon name="chevron-down" small className="dim" />
        </>
      }
    >
      {(close) => (
        <>
          {choices.map(({ id, name, contextWindow }) => (
            <MenuItem
              key={id}
              chosen={id === model}
              onPick={() => {
                close();
                if (id !== model) onModel(id);
              }}
            >
              <Icon name={id === model ? "check" : "blank"} />
              <span className="cut">{oneLine(name ?? shortModelName(id))}</span>
              <span className="end">{contextWindow === undefined ? "" : formatTokens(contextWindow)}</span>
              <span className="sub">
                <span className="cut">{oneLine(id)}</span>
              </span>
            </MenuItem>
          ))}
          <Another
            onName={(typed) => {
              close();
              onModel(typed);
            }}
          />
        </>
      )}
    </Menu>
  );
}

type Choice = { id: string; name?: string; contextWindow?: number };

function useChoices(model: string | undefined): Choice[] {
  const { lists } = useApp();
  const known = useObservableValue(lists.models);
  const sessions = useObservableValue(lists.sessions) ?? [];
  const usedModels = [...new Set([model, ...sessions.map((row) => row.model)])].flatMap((id) => id || []);
  const others = usedModels.filter((id) => !known.some((each) => each.id === id)).slice(0, MAX_FROM_SESSIONS);
  return [...known, ...others.map((id) => ({ id }))];
}

function Another({ onName }: { onName: (model: string) => void }) {
  const [typed, setNamed] = useState("");
  return (
    <div className="menufield">
      <input
        className="field"
        aria-label="Another model"
        placeholder="provider/model"
        spellCheck={false}
        value={typed}
        onChange={(event) => setNamed(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || typed.trim() === "") return;
          event.preventDefault();
          onName(typed.trim());
        }}
      />
    </div>
  );
}
