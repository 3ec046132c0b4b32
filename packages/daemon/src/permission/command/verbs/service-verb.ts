import { wordSet } from "../tables/name-matcher.ts";
import type { Word } from "../words/word.ts";

/**
 * Programs that control services, clusters, devices or stores of data, with verbs of each that also only read, or only work on this machine. A `+` in
 * a verb stands for a blank. Of a program with `!`, these verbs are the only ones: without a verb it acts, or the usual words mean something
 * else. A grant such as `hcloud *` covers calls that only read. Source: the help of each program.
 */
const PROGRAMS = new Map(
  `flyctl fly railway render heroku:ps,releases,releases:info,pg,addons amplify sst sam:local+invoke,local+start-api serverless:offline sls:offline
  eb:printenv copilot doctl linode-cli hcloud scw oci ibmcloud cf:app,apps,services,routes,target helmfile:deps,repos skaffold:dev,debug tilt:up,ci werf
  azd argocd flux istioctl velero:backup+get,backup+describe,backup+logs vault bao consul:members,catalog+services,catalog+nodes nomad:job+plan,job+validate waypoint boundary
  ansible-galaxy:init,install,collection+install,role+init,collection+init atlas:migrate+lint,migrate+hash,migrate+new flyway liquibase
  dbmate:new,dump,up,migrate sqitch typeorm:migration:generate,migration:create,migration:run hasura edgedb gel kafka-topics
  kafka-consumer-groups kafka-acls kafka-configs rabbitmqctl:cluster_status rabbitmqadmin nats:server+report temporal:server+start-dev dagster:dev
  dagster-cloud airflow:standalone,webserver,scheduler,tasks+test,tasks+states-for-dag-run,dags+test prefect:server+start
  dvc:add,repro,pull,fetch,checkout,commit,init,exp+show,dag,metrics+show,params+diff,plots+show,data+status mlflow:ui,server
  wandb:offline huggingface-cli:download,scan-cache hf:download,cache+scan kaggle:datasets+download,datasets+files,competitions+download modal:serve
  ray:start,memory,timeline databricks:bundle+validate snow:connection+list gsutil s3cmd s5cmd azcopy rclone:listremotes,lsf,lsl,lsd,md5sum,cat
  restic:snapshots borg mc hub:issue,pr+list,browse tea jira sentry-cli datadog-ci newrelic snyk anaconda mike vsce ovsx web-ext:run eas
  nuget:restore,pack choco paket:install,restore,update cachix skopeo crane oras cosign ipfs:cat,id,swarm+peers
  adb!:devices,logcat,install,forward,wait-for-device,start-server,version,get-state,get-serialno,shell+getprop,shell+dumpsys,shell+pm+list,shell+am+start
  fastboot!:devices,getvar openocd! esptool!:chip_id,flash_id,read_mac,version espefuse!:summary kamal dokku caprover
  chezmoi:managed,data,source-path snapcraft:pack p4:opened,changes,sync,filelog,annotate,where bit wash wapm spin:up faas-cli kn func dapr linkerd
  cilium eksctl kops talosctl crossplane stripe:listen twilio shopify:app+dev,theme+dev,app+build sf clasp contentful sanity strapi:develop,console
  directus wp:core+version drush symfony:serve,server:start,server:status turso pscale neonctl influx etcdctl:endpoint+health
  nodetool:tpstats,ring,netstats mysqladmin:processlist now!:ls,inspect,dev goreleaser!:check,build,healthcheck bq:head`
    .split(/\s+/)
    .map((entry) => /^([\w-]+)(!?):?(.*)$/.exec(entry)?.slice(1) ?? [])
    .map(([name = "", only, own = ""]) => [
      name,
      {
        isOnly: only === "!",
        own: own
          .split(",")
          .filter(Boolean)
          .map((verb) => verb.replaceAll("+", " ")),
      },
    ]),
);

/** Words of verbs that only read, or only work on this machine. */
const READS =
  /^(ls|(list|get|show|describe|view)([-_]\w+)*|info|status|state|logs?|history|whoami|diff|compare|validate|lint|checks?|verify|preview|plan|search|find|inspect|explain|top|tail|count|stats?|du|df|size|tree|doctor|diagnose|analyze|test|build|compile|package|synth|render|template|print|dev|serve|fmt|format|generate|gen|ping|health|digest|discover|docs|completion|manifest|proxy-status)$/;
/** Words for kinds of things, which stand in front of such a verb. Those with an `s` at the end are plurals. */
const KINDS =
  /^(pg|ps|app|account|cluster|server|instance|compute|droplet|kubernetes|database|db|project|stack|stream|workflow|model|dataset|bucket|repo|repository|issue|plugin|core|stage|env|function|image|volume|network|job|task|dag|run|topic|queue|node|pod|service|release|branch|table|schema|migration|site|plan|org|team|board|collection|role|schedule|proxy|catalog|endpoint|theme|metadata|mr|pr|ci|object|os|tag|dashboard|experiment|artifact|kv|kustomization|helmrelease|source|package|storage|logging|d1|r2|pages|vm|disk|(?!(dismi|compre|proce|acce|addre|expre|pa|pre)ss$)[a-z-]{2,}s)$/;
/** Parts of words of verbs that change something. */
const ACTS =
  wordSet(`create delete del rm remove destroy add set unset update upgrade apply deploy publish push put post patch start stop restart
  reboot poweroff shutdown kill killall cancel abort run exec ssh shell console scale resize rebuild reset purge prune drop truncate clear clean
  cleanup erase wipe revoke rotate grant enable disable suspend resume pause drain cordon evict attach detach link unlink register deregister
  import export restore rollback promote demote failover swap merge close reopen approve reject assign transfer move mv copy cp sync mirror rename
  untag annotate label edit modify alter change write login logout bootstrap install uninstall invite lock unlock seal unseal join leave forget
  gc burn flash upload submit send trigger execute save revert rebase undo retire clone connect rsync rb mb terminate down up invoke dispatch
  reconcile converge dismiss pub reverse release repair`);
/** Words about keys, which also a call that only reads would show. */
const KEYS = /secret|token|passw|credential|kubeconfig|^(auth|keys?|access-keys?|env|variables|vars?|config|connections|kv|apiaccess)$/;
/** Flags of verbs that change something, and flags that are verbs of programs without words for them. */
const ACTING =
  /^--(delete\S*|alter|create|add|remove|reset-offsets|execute|set|prune|force|apply|auto(-submit)?|fix|forget|[\w-]*command)(=|$)/;
/** Programs that run several verbs of one call, and signs with which a shell of a device goes on. */
const TAKES_SEVERAL = /^(mysqladmin|flyway)$/;
const GOES_ON = /[;&|<>`\n]|\$\(/;
const READING = /^--(list|describe|status|help|version)$/;
/** Flags without a value, which may stand in front of a verb. Behind any other flag, a word may be its value. */
const PLAIN = /^(--?(v|q|verbose|quiet|debug|json|no-color|help|version)|.*=.*)$/;
const READING_SQL =
  /^\s*(select|with|show|describe|explain)\b(?!.*\b(drop|truncate|delete|insert|update|merge|alter|create|grant|call|export|into)\b)/is;

/**
 * Returns the verb of a call of such a program with the kinds of things in front of it, if a grant for the whole program does not cover it, and false if it does. Returns undefined for other
 * programs.
 */
export function uncoveredServiceVerb(name: string, words: readonly Word[]): string | false | undefined {
  const program = PROGRAMS.get(name.replace(/\.(sh|py|exe|cmd|bat)$/, ""));
  if (!program) return undefined;
  const texts = words.map(({ kind, text }) => (kind === "literal" ? text : "*"));
  const isFlag = (text: string | undefined) => text?.startsWith("-") === true;
  const operands = texts.filter((text, i) => !isFlag(text) && !(isFlag(texts[i - 1]) && !PLAIN.test(texts[i - 1] ?? "")));
  const isCovered =
    !texts.some((text) => ACTING.test(text)) &&
    !operands.slice(0, 3).some((text) => text.split(":").some((part) => KEYS.test(part))) &&
    !(name === "adb" && texts.some((text) => GOES_ON.test(text))) &&
    (!TAKES_SEVERAL.test(name) || operands.every((verb) => readsBy([verb], program, texts))) &&
    (readsBy(operands, program, texts) || (operands.length === 0 && !program.isOnly && texts.some((text) => READING.test(text))));
  const isHelp = texts.length > 0 && texts.every((text) => /^(--?(help|version)|-h|-V)$/.test(text));
  const isEmpty = texts.length === 0 && !program.isOnly;
  if (isCovered || isHelp || isEmpty || /^(help|version)$/.test(texts[0] ?? "")) return false;
  const end = operands.findIndex((text) => !text.split(":").every((part) => KINDS.test(part)));
  return operands.slice(0, end < 0 ? undefined : end + 1).join(" ");
}

/** True if the first operands are a verb that reads, with kinds of things in front of it. */
function readsBy(
  operands: readonly string[],
  { own, isOnly }: { own: readonly string[]; isOnly: boolean },
  texts: readonly string[],
): boolean {
  const line = operands.join(" ");
  if (own.some((verb) => line === verb || line.startsWith(`${verb} `))) return true;
  if (isOnly) return false;
  const parts = operands.slice(0, 4).flatMap((text) => (/^[a-z][\w:-]*$/.test(text) ? text.split(":") : "*"));
  const at = parts.findIndex((part) => READS.test(part) || !KINDS.test(part));
  const verb = parts[at] ?? "";
  const before = parts.slice(0, Math.max(at, 0));
  if (before.some((part) => part.split(/[-_]/).some((each) => ACTS.has(each)))) return false;
  if (/^(query|sql)$/.test(verb)) return texts.some((text) => READING_SQL.test(text)) && !texts.some((text) => CHANGING_SQL.test(text));
  const last =
    operands
      .find((text) => text.split(":").includes(verb))
      ?.split(":")
      .at(-1) ?? "";
  return READS.test(verb) && (READS.test(last) || KINDS.test(last)) && !parts.slice(at + 1, at + 2).some((part) => ACTS.has(part));
}

const CHANGING_SQL = /^\s*(drop|truncate|delete|insert|update|merge|alter|create|grant|call)\b/i;
