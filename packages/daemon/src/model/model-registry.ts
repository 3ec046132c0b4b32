import { DEMO_MODEL } from "@baton/core/protocol/demo";
import type { Effort, ModelEntry } from "@baton/core/protocol/config/model";
import type { Refusal } from "@baton/core/protocol/refusal";
import { closestMatch } from "@baton/core/text/closest-match";
import { embedTexts } from "./embed-texts.ts";
import { findModelInfo, loadModelCatalog, mergeCatalogs, type ModelInfo, type ModelCatalogFile } from "./model-info.ts";
import { providerKinds, type KindName } from "./provider/provider-kinds.ts";
import type { ProviderAccess, ProviderOptions, ProviderKind } from "./provider/provider-kind.ts";
import { knownProviders } from "./known-providers.ts";
import { ModelError, type Model } from "./model-port.ts";
import { FREE } from "./pricing.ts";
import { scriptFile, scriptedModel } from "./scripted-model.ts";
import { streamModel } from "./stream-model.ts";

/** The user's settings for a model: facts, reasoning effort, and options of its provider. */
type OwnModel = ModelEntry & { effort?: Effort | undefined; options?: ProviderOptions | undefined };

/** A key. `stamp` changes with the key; `read` may ask the keychain. */
export type ProviderKey = { stamp: string; read: () => Promise<string | undefined> };

/** A configured provider. */
type ProviderSettings = Omit<ProviderAccess, "key"> & {
  kind: KindName;
  key?: ProviderKey | undefined;
  /** The variable that should hold the key, if it is not set. */
  unsetVariable?: string | undefined;
  timeoutMs?: number | undefined;
  options?: ProviderOptions | undefined;
  models: Readonly<Record<string, OwnModel>>;
};

type ModelRegistrySettings = {
  model?: string | undefined;
  providers: readonly ProviderSettings[];
  env: Record<string, string | undefined>;
  /** The key that the user stored for a provider. */
  stored: (provider: string) => ProviderKey | undefined;
  demo: string | undefined;
  /** A sentence that explains why the config cannot be read. Its models are then unknown. */
  broken?: string | undefined;
};

export type ModelRegistry = {
  /** Loads the snapshot of models. Before that only names are known. */
  load(): Promise<void>;
  /** Reads the user's catalog again. */
  reload(): Promise<void>;
  /** True if a name can be resolved: `provider/model`, `demo/tour` or `scripted/<file>`. */
  knows(model: string): boolean;
  /** A message for the user that explains why a name cannot be resolved. */
  fault(model: string): string | undefined;
  /** Why a model that can be resolved cannot be used: its key is in a variable that is not set. */
  keyProblem(model: string): string | undefined;
  /** A message for the user about an unknown provider. */
  faultOfProvider(name: string): string | undefined;
  facts(model: string): ModelInfo | undefined;
  /** The first of the wanted models that is named, otherwise the configured one. Returns a refusal if there is none. */
  resolve(wanted: readonly (string | undefined)[]): { id: string; model: Model } | Refusal;
  /** Embeds texts with an embedding model. Throws an error with a sentence for the user. */
  embed: (model: string, texts: readonly string[], signal: AbortSignal) => Promise<number[][]>;
  /** Every known model of the usable providers, as `provider/model`. */
  all(): { id: string; facts: ModelInfo }[];
};

/**
 * All models by name. Reads the settings at each use, because the config may change. `userCatalog`: the catalog that the user loaded, which
 * takes precedence over the one that ships with Baton.
 */
export function openModelRegistry(
  settings: () => ModelRegistrySettings,
  userCatalog: () => Promise<ModelCatalogFile | undefined> = async () => undefined,
): ModelRegistry {
  const made = new Map<string, Model>();
  let snapshot: ModelCatalogFile = {};

  const find = (id: string): Model | undefined => {
    const [provider, name] = split(id);
    if (provider === undefined) return undefined;
    if (provider === "scripted") return cached(id, () => scriptedModel(scriptFile(name)));
    const { demo } = settings();
    if (id === DEMO_MODEL && demo !== undefined) return cached(id, () => scriptedModel(scriptFile(demo)));
    const known = providerOf(provider, settings());
    if (!known) return undefined;
    const facts = factsFor(known, name, snapshot);
    const { key, ...rest } = known;
    return cached(JSON.stringify([id, rest, key?.stamp, facts]), () => modelOf(id, name, known, facts));
  };

  const cached = (key: string, make: () => Model): Model => {
    const model = made.get(key) ?? make();
    made.set(key, model);
    return model;
  };

  const reload = async (): Promise<void> => {
    snapshot = mergeCatalogs(await loadModelCatalog(), (await userCatalog()) ?? {});
  };

  return {
    load: async () => {
      if (Object.keys(snapshot).length === 0) await reload();
    },
    reload,
    knows: (id) => find(id) !== undefined,
    fault: (id) => (find(id) ? undefined : unresolved(id, settings())),
    keyProblem(id) {
      const [provider] = split(id);
      const known = provider === undefined ? undefined : providerOf(provider, settings());
      return known && missingKey(known);
    },
    faultOfProvider: (name) => unknownProvider(name, settings()),
    facts(id) {
      const [provider, name] = split(id);
      if (provider === "scripted" || provider === "demo") return { price: FREE, reasoningBack: false };
      const known = provider === undefined ? undefined : providerOf(provider, settings());
      return known && name !== undefined ? factsFor(known, name, snapshot) : undefined;
    },
    resolve(wanted) {
      const id = wanted.find((name) => name !== undefined) ?? settings().model;
      if (id === undefined) return { code: "no_model", message: settings().broken ?? NO_MODEL };
      const model = find(id);
      return model ? { id, model } : { code: "model_not_found", message: unresolved(id, settings()) };
    },
    embed: async (id, texts, signal) => {
      const [provider, name] = split(id);
      const known = provider === undefined ? undefined : providerOf(provider, settings());
      if (!known || name === undefined) throw new ModelError("no_model", unresolved(id, settings()));
      const { loadEmbedding }: ProviderKind = providerKinds[known.kind];
      if (!loadEmbedding) throw new ModelError("no_model", `The provider ${known.name} has no embedding models.`);
      return embedTexts(await loadEmbedding(await accessOf(known), name), texts, signal);
    },
    all: () =>
      usable(settings()).flatMap((provider) =>
        [...new Set([...Object.keys(provider.models), ...Object.keys(snapshot[provider.name]?.models ?? {})])].map((name) => ({
          id: `${provider.name}/${name}`,
          facts: factsFor(provider, name, snapshot),
        })),
      ),
  };
}

const NO_MODEL =
  'No model is configured. Set "model" in config.jsonc to provider/model (`baton models` lists the available ones), or set BATON_MODEL and restart the daemon. `baton demo` needs no model.';

/** The message for a model name that cannot be resolved. */
function unresolved(id: string, settings: ModelRegistrySettings): string {
  const why = unresolvedReason(id, settings);
  return settings.broken === undefined ? why : `${why} ${settings.broken}`;
}

function unresolvedReason(id: string, settings: ModelRegistrySettings): string {
  const [provider] = split(id);
  if (provider === undefined) return `There is no model "${id}". Write it as provider/model; \`baton models\` lists the available ones.`;
  if (id === DEMO_MODEL) return `${DEMO_MODEL} only works in the sample project of \`baton demo\`.`;
  const known = knownProviders.find(({ name }) => name === provider);
  if (known?.keyNames)
    return `There is no key for ${provider}. Add one with \`baton auth login ${provider}\`, or set ${known.keyNames[0]} in the daemon's environment.`;
  return unknownProvider(provider, settings) ?? `There is no model "${id}". \`baton models\` lists the available ones.`;
}

function unknownProvider(name: string, { providers }: ModelRegistrySettings): string | undefined {
  const names = [...new Set([...providers, ...knownProviders].map((provider) => provider.name))];
  if (names.includes(name)) return undefined;
  const match = closestMatch(name, names);
  const hint = match === undefined ? "" : `Did you mean ${match}? `;
  return `There is no provider ${name}. ${hint}The providers are: ${names.join(", ")}. Add others under "providers" in config.jsonc.`;
}

function split(id: string): [string, string] | [undefined, undefined] {
  const slash = id.indexOf("/");
  return slash < 1 || slash === id.length - 1 ? [undefined, undefined] : [id.slice(0, slash), id.slice(slash + 1)];
}

function modelOf(id: string, name: string, settings: ProviderSettings, facts: ModelInfo): Model {
  const { kind: kindName, key, unsetVariable: _, timeoutMs, options = {}, models, ...access } = settings;
  const kind = providerKinds[kindName];
  const { effort, options: ofModel = {} } = models[name] ?? {};
  const manner = kind.manner({ ...options, ...ofModel }, { id: name, ...facts });
  return streamModel({
    id,
    manner: { ...manner, cannotRead: (mediaType) => manner.cannotRead?.(mediaType) === true || unreadable(facts)(mediaType) },
    toolless: facts.callsTools === false,
    price: facts.price,
    effort,
    timeoutMs,
    // Providers that know the model's output limit themselves do not get one.
    maxOutput: kindName === "anthropic" || models[name]?.limit?.output !== undefined ? facts.maxOutput : undefined,
    secrets: async () => [await key?.read(), ...Object.values(access.headers ?? {}).flatMap((value) => value.split(" "))],
    load: async () => kind.load(await accessOf(settings), name),
  });
}

/** The address and the key of a provider. Throws if there is no key. */
async function accessOf({
  kind,
  key,
  unsetVariable,
  timeoutMs: _t,
  options: _o,
  models: _m,
  ...access
}: ProviderSettings): Promise<ProviderAccess> {
  const missing = missingKey({ name: access.name, key, unsetVariable });
  if (missing !== undefined) throw new ModelError("unauthorized", missing);
  const secret = await key?.read();
  const isKeyless = "keyless" in providerKinds[kind];
  if (secret === undefined && !isKeyless && access.baseUrl === undefined)
    throw new ModelError("unauthorized", `There is no key for ${access.name}. Add one with \`baton auth login ${access.name}\`.`);
  return { ...access, key: secret ?? (isKeyless ? undefined : "none") };
}

/** The message about a key that the user expects in a variable, if it is not there and there is no other key. */
function missingKey({ name, key, unsetVariable }: Pick<ProviderSettings, "name" | "key" | "unsetVariable">): string | undefined {
  if (unsetVariable === undefined || key !== undefined) return undefined;
  return `There is no key for ${name}: the variable ${unsetVariable}, which its apiKey names, is not set in the daemon's environment. Set it and run \`baton daemon restart\`, or add a key with \`baton auth login ${name}\`.`;
}

/** Every model gets images unless it is known not to read them. Only models that are known to read PDFs get these. */
const unreadable =
  ({ reads }: ModelInfo) =>
  (mediaType: string): boolean =>
    mediaType === "application/pdf" ? reads?.includes("pdf") !== true : reads?.includes("image") === false;

/** A configured provider, or a known provider with a key or on this machine. */
function providerOf(name: string, { providers, env, stored }: ModelRegistrySettings): ProviderSettings | undefined {
  const own = providers.find((provider) => provider.name === name);
  if (own) return { ...own, key: own.key ?? keyFor(own, env, stored) };
  const known = knownProviders.find((provider) => provider.name === name);
  const key = known && keyFor(known, env, stored);
  return known && (key !== undefined || known.keyNames === undefined) ? { ...known, key, models: {} } : undefined;
}

/** All usable providers, the configured ones first. */
function usable(settings: ModelRegistrySettings): ProviderSettings[] {
  const names = new Set([...settings.providers, ...knownProviders].map(({ name }) => name));
  return Array.from(names).flatMap((name) => providerOf(name, settings) ?? []);
}

/** The key of a provider: the variable of its name or, without its own address, of its kind. Otherwise the stored key. */
function keyFor(
  { name, kind, baseUrl }: Pick<ProviderSettings, "name" | "kind" | "baseUrl">,
  env: ModelRegistrySettings["env"],
  stored: ModelRegistrySettings["stored"],
): ProviderKey | undefined {
  const known =
    knownProviders.find((each) => each.name === name) ?? knownProviders.find((each) => each.kind === kind && baseUrl === undefined);
  const names = kind === "azure" ? ["AZURE_API_KEY"] : (known?.keyNames ?? []);
  const value = names.map((each) => env[each]).find((each) => each);
  return value === undefined ? stored(name) : { stamp: value, read: () => Promise.resolve(value) };
}

const factsFor = ({ name: provider, baseUrl, models }: ProviderSettings, name: string, snapshot: ModelCatalogFile): ModelInfo =>
  findModelInfo(snapshot[provider]?.models, models[name], name, baseUrl !== undefined && isLoopback(baseUrl));

const isLoopback = (url: string): boolean => /^https?:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:|\/|$)/.test(url);
