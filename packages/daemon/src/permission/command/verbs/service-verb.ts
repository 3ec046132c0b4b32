import { wordSet } from "../tables/name-matcher.ts";
import { textOfAll, type Word } from "../words/word.ts";

/**
 * Programs that control services, clusters, devices or stores of data, with words that only read, or only work on this machine, for this program.
 * A grant such as `hcloud *` covers calls that only read. Source: the help of each program.
 */
const PROGRAMS = new Map(
  `flyctl fly railway render heroku:ps,releases,pg amplify sst:dev sam:local,build serverless:print,offline sls:print,offline eb copilot doctl
  linode-cli hcloud scw oci ibmcloud cf:app,apps,services,routes,target helmfile:deps,repos skaffold:dev,debug tilt:up,ci werf azd argocd flux
  istioctl velero vault bao consul:members,catalog nomad:node waypoint boundary ansible-galaxy:init,install atlas flyway liquibase dbmate:new,dump,up,migrate
  goose:create,up sqitch typeorm hasura edgedb gel kafka-topics kafka-consumer-groups kafka-acls kafka-configs rabbitmqctl rabbitmqadmin nats
  temporal dagster:dev dagster-cloud airflow:standalone,webserver,scheduler prefect
  dvc:add,repro,pull,fetch,checkout,commit,init,exp,dag,metrics,params,plots,data mlflow:ui,server wandb:offline huggingface-cli:download,scan-cache
  hf:download,cache kaggle:download,files modal:serve ray:start,memory,timeline databricks:bundle snow:connection gsutil s3cmd s5cmd azcopy
  rclone:listremotes,lsf,lsl,lsd,md5sum,cat restic:snapshots,backup borg mc hub:issue,pr,browse tea:issues,pulls jira sentry-cli datadog-ci newrelic
  snyk:monitor anaconda mike vsce:package ovsx web-ext:run eas:build nuget:restore,pack choco paket:install,restore,update cachix skopeo crane oras cosign
  ipfs:cat,id,swarm adb:devices,logcat,install,forward,wait-for-device,start-server fastboot:devices openocd esptool:chip_id,flash_id,read_mac espefuse:summary kamal dokku
  caprover chezmoi:managed,data,source-path snapcraft:pack p4:opened,changes,sync,filelog,annotate,where bit wash wapm spin:up faas-cli kn func dapr linkerd cilium
  eksctl kops talosctl crossplane stripe:listen twilio shopify:dev,app sf clasp contentful sanity strapi:develop,console directus wp drush:cr
  symfony:serve,server,console turso pscale:connect neonctl influx etcdctl:endpoint nodetool:tpstats,ring,netstats mysqladmin:processlist
  now bq:query,head goreleaser`
    .split(/\s+/)
    .map((entry) => entry.split(":") as [string, string?])
    .map(([name, own = ""]) => [name, new Set(own.split(","))]),
);

/** Words of verbs that only read, or only work on this machine. */
const READS =
  /^(ls|list|get|show|describe|info|status|states?|logs?|history|versions?|help|whoami|view|diff|compare|validate|lint|checks?|verify|preview|plan|search|find|inspect|explain|top|tail|watch|count|stats?|du|df|size|tree|doctor|diagnose|analyze|test|build|compile|package|synth|render|template|print|dev|serve|fmt|format|generate|gen|ping|health|digest|discover|docs|completion|manifest|proxy-status|snapshots)([-_]\w+)*$/;
/** Words of verbs that change something. With one of them in front or behind, a word above is the name of a thing. */
const ACTS =
  wordSet(`create delete del rm remove destroy add set unset update upgrade apply deploy publish push put post patch start stop restart
  reboot poweroff shutdown kill cancel abort run exec ssh shell console scale resize rebuild reset purge prune drop truncate clear clean
  erase wipe revoke rotate grant enable disable suspend resume pause drain cordon evict attach detach link unlink register deregister import export
  restore rollback promote demote failover swap merge close reopen approve reject assign transfer move mv copy cp sync mirror rename tag untag
  annotate label edit modify alter change write login logout bootstrap install uninstall invite lock unlock seal unseal join leave forget gc
  burn flash upload submit send trigger execute save revert rebase undo retire clone connect rsync rb mb`);
/** Words about keys, which also a call that only reads would show. */
const KEYS = /secret|token|passw|credential|kubeconfig|^(auth|keys?|access-keys?|env|variables|vars?|config|connections|kv|apiaccess)$/;

const FLAGS = /^--(delete|alter|create|add|remove|reset-offsets|execute|set|prune|force|apply|auto(-submit)?)$/;

/**
 * Returns the verb of a call of such a program, if a grant for the whole program does not cover it, and "" if it does. Returns undefined for other
 * programs.
 */
export function uncoveredServiceVerb(name: string, words: readonly Word[]): string | undefined {
  const own = PROGRAMS.get(name);
  if (!own) return undefined;
  const flags = words.filter(({ text }) => text.startsWith("-"));
  const operands = words.filter(({ text }) => !text.startsWith("-")).slice(0, 4);
  const verbs = [
    ...operands.flatMap(({ kind, text }) => (kind === "literal" ? text.split(":") : [])),
    ...flags.map(({ text }) => text.replace(/^--/, "")),
  ];
  const isHelp = verbs.some((verb) => /^(help|version)$/.test(verb)) || operands.length === 0;
  const isCovered =
    !flags.some(({ text }) => FLAGS.test(text)) &&
    !operands.some(({ text }) => text.split(":").some((part) => KEYS.test(part))) &&
    !verbs.some((verb) => !own.has(verb) && ACTS.has(verb)) &&
    verbs.some((verb) => READS.test(verb) || own.has(verb));
  return isCovered || (isHelp && flags.length === words.length) ? "" : textOfAll(operands.slice(0, 2));
}
