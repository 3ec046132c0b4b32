import type { Mode, ModeSlug } from "../protocol/mode.ts";
import { architect } from "./builtin/architect.ts";
import { ask } from "./builtin/ask.ts";
import { build } from "./builtin/build.ts";
import { code } from "./builtin/code.ts";
import { configuration } from "./builtin/configuration.ts";
import { coordinator } from "./builtin/coordinator.ts";
import { debug } from "./builtin/debug.ts";
import { explore } from "./builtin/explore.ts";
import { orchestrator } from "./builtin/orchestrator.ts";
import { plan } from "./builtin/plan.ts";

/** The built-in modes, in the order in which they are shown. */
export const builtinModes: readonly Mode[] = [code, architect, ask, debug, orchestrator, coordinator, build, plan, configuration, explore];

export const builtinMode = (slug: ModeSlug): Mode | undefined => builtinModes.find((mode) => mode.slug === slug);
