import type { BackgroundCommand } from "@baton/core/session/background-command";
import type { SessionState } from "@baton/core/session/state";
import { oneLine } from "@baton/core/text/sanitize";
import { ChangedFileList, type ChangedFile } from "../conversation/changed-files.tsx";
import { Icon } from "../icon.tsx";
import { BackgroundCommands } from "./background-commands.tsx";
import { CapabilityList, NOT_IN_MODE, type Capability } from "./mode-capabilities.tsx";
import { ContextSources } from "./context-sources.tsx";
import { ContextMeter, useContextFill } from "./context-meter.tsx";
import { ModeName } from "../composer/mode-name.tsx";
import { formatCount, formatMoney, formatCost, formatTokens, formatTime } from "@baton/core/text/format";

type Props = {
  id: string;
  state: SessionState;
  /** The model of the next step. */
  model: string | undefined;
  may: readonly Capability[];
  changed: readonly ChangedFile[];
  background: readonly BackgroundCommand[];
  subtasks: { count: number; cost: number };
};

/** More changed files would push the other facts out of view. */
const MAX_FILES = 12;

function contextSizeText(tokens: number, percent: number | undefined, steps: number): string {
  if (tokens === 0) return steps === 0 ? "empty" : "not counted by the model";
  return percent === undefined ? `${formatTokens(tokens)} tokens` : `${percent} %`;
}

/** Facts about the session: permissions, to-do list, changed files, context and cost. */
export function DetailsPanel({ id, state, model, may, changed, background, subtasks }: Props) {
  const { usage, contextTokens, todos, turn, lastTurn } = state;
  const newest = turn ? usage.cost - turn.costBefore : lastTurn?.cost;
  const { window, percent } = useContextFill(model, contextTokens);
  return (
    <aside className="aside" aria-label="Mode and cost" tabIndex={0}>
      <section>
        <h2 className="row">
          <ModeName slug={state.mode} small={false} />
          <span className="r dim plain">since {formatTime(state.modeSince)}</span>
        </h2>
        <CapabilityList mode={state.mode} may={may.filter((each) => each.may !== "no" || each.about !== NOT_IN_MODE)} />
      </section>
      {todos.length === 0 ? undefined : (
        <section>
          <h2>To do</h2>
          <ul className="todos">
            {todos.map(({ text, state: todoState }, i) => (
              <li key={i} className={todoState}>
                <Icon
                  name={todoState === "done" ? "check" : todoState === "doing" ? "circle-large-filled" : "circle-small"}
                  small
                  className="dim"
                />
                <span>
                  {oneLine(text)}
                  <span className="vh"> ({todoState})</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {changed.length === 0 ? undefined : (
        <section>
          <h2>Changed files</h2>
          <ChangedFileList id={id} changed={changed} most={MAX_FILES} />
        </section>
      )}
      {background.length === 0 ? undefined : (
        <section>
          <h2>Background commands</h2>
          <BackgroundCommands rows={background} />
        </section>
      )}
      <section>
        <h2 className="row">
          Context
          <span className="r dim plain">{contextSizeText(contextTokens, percent, state.counts.steps)}</span>
        </h2>
        {percent === undefined ? undefined : <ContextMeter percent={percent} wide />}
        <ContextSources id={id} version={state.counts.steps} />
      </section>
      <section>
        <details className="usage">
          <summary>
            <h2 className="row">
              Cost<span className="r">{formatCost({ ...usage, cost: usage.cost + subtasks.cost })}</span>
            </h2>
          </summary>
          <dl className="kv">
            <dt>This session</dt>
            <dd>{formatCost(usage)}</dd>
            {newest === undefined ? undefined : (
              <>
                <dt>{turn ? "This turn" : "Last turn"}</dt>
                <dd>{formatMoney(newest)}</dd>
              </>
            )}
            {subtasks.count === 0 ? undefined : (
              <>
                <dt>{formatCount(subtasks.count, "subtask")}</dt>
                <dd>{formatMoney(subtasks.cost)}</dd>
              </>
            )}
            {window === undefined || contextTokens === 0 ? undefined : (
              <>
                <dt>Context</dt>
                <dd>
                  {formatTokens(contextTokens)} of {formatTokens(window)}
                </dd>
              </>
            )}
            <dt>Input</dt>
            <dd>{formatTokens(usage.input)}</dd>
            <dt>Cached</dt>
            <dd>{usage.input > 0 ? `${Math.round((100 * usage.cachedInput) / usage.input)} %` : "–"}</dd>
            <dt>Output</dt>
            <dd>{formatTokens(usage.output)}</dd>
            {usage.reasoning ? (
              <>
                <dt>Reasoning</dt>
                <dd>{formatTokens(usage.reasoning)}</dd>
              </>
            ) : undefined}
          </dl>
        </details>
      </section>
    </aside>
  );
}
