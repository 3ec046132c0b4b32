import type { SessionState } from "@baton/core/session/state";
import { oneLine } from "@baton/core/text/sanitize";
import { ChangedFileList, type ChangedFile } from "../conversation/changed-files.tsx";
import { Icon } from "../icon.tsx";
import { CapabilityList, type Capability } from "./capabilities.tsx";
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
  subtasks: { count: number; cost: number };
};

/** Facts about the session: capabilities, context, cost, plan and changed files. */
export function DetailsPanel({ id, state, model, may, changed, subtasks }: Props) {
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
        <CapabilityList mode={state.mode} may={may} />
      </section>
      <section>
        <h2 className="row">
          Context
          <span className="r dim plain">
            {contextTokens === 0 ? "empty" : percent === undefined ? `${formatTokens(contextTokens)} tokens` : `${percent} %`}
          </span>
        </h2>
        {percent === undefined ? undefined : <ContextMeter percent={percent} wide />}
        <dl className="kv">
          {window === undefined || contextTokens === 0 ? undefined : (
            <>
              <dt>in use now</dt>
              <dd>
                {formatTokens(contextTokens)} of {formatTokens(window)}
              </dd>
            </>
          )}
          <dt>sent in total</dt>
          <dd>{formatTokens(usage.input)}</dd>
          <dt>read from cache</dt>
          <dd>{usage.input > 0 ? `${Math.round((100 * usage.cachedInput) / usage.input)} %` : "–"}</dd>
          <dt>written</dt>
          <dd>{formatTokens(usage.output)}</dd>
          {usage.reasoning ? (
            <>
              <dt>reasoning</dt>
              <dd>{formatTokens(usage.reasoning)}</dd>
            </>
          ) : undefined}
        </dl>
      </section>
      <section>
        <h2 className="row">
          Cost<span className="r">{formatCost({ ...usage, cost: usage.cost + subtasks.cost })}</span>
        </h2>
        <dl className="kv">
          <dt>this session</dt>
          <dd>{formatCost(usage)}</dd>
          {newest === undefined ? undefined : (
            <>
              <dt>{turn ? "this turn" : "newest turn"}</dt>
              <dd>{formatMoney(newest)}</dd>
            </>
          )}
          {subtasks.count === 0 ? undefined : (
            <>
              <dt>{formatCount(subtasks.count, "subtask")}</dt>
              <dd>{formatMoney(subtasks.cost)}</dd>
            </>
          )}
        </dl>
      </section>
      {todos.length === 0 ? undefined : (
        <section>
          <h2>Plan</h2>
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
          <ChangedFileList id={id} changed={changed} />
        </section>
      )}
    </aside>
  );
}
