import { MayList, type May } from "./may.tsx";
import { ModeName, useModeLook } from "./mode-name.tsx";

type Props = { mode: string; may: readonly May[] };

/** Below the title where there is no rail. */
export function MayStrip({ mode, may }: Props) {
  const { hue } = useModeLook(mode);
  return (
    <div className={`strip only-norail wide-only ${hue}`} role="group" aria-label="The mode" tabIndex={0}>
      <span className={`mode ${hue}`}>
        <ModeName slug={mode} /> may
      </span>
      <MayList mode={mode} may={may} line />
    </div>
  );
}

/** Above the prompt where there is no room for a strip. */
export const MayLine = ({ mode, may }: Props) => (
  <div className="mayline narrow-only" role="group" aria-label="The mode" tabIndex={0}>
    <MayList mode={mode} may={may} line />
  </div>
);
