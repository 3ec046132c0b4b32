import type { Tables } from "../table.ts";

const ghShown =
  "-c --comments --json --jq --template -q -t -R --repo -L --limit -s --state -l --label -A --author -a --assignee -b --branch";
const ghList: Tables[string] = {
  flags: "-c --comments --name-only --patch --draft --log --log-failed --exit-status --required --paginate",
  valued: `${ghShown} -S --search --workflow -e --event -u --user -B --base -H --head -j --job --status --color --sort --order --owner --language`,
  operands: "text",
};

const kubeList: Tables[string] = {
  flags: "-A -w --all-namespaces --watch --show-labels --no-headers --all-containers --client --short --recursive",
  valued:
    "-n -o -l -c --namespace --output --selector --container --tail --since --since-time --sort-by --context --field-selector --limit-bytes --api-version --api-group",
  operands: "text",
};
const kubeLogs: Tables[string] = { ...kubeList, flags: `${kubeList.flags} --previous -p -f --follow` };

/** Of a cluster, everything but what holds secrets. */
const kubeShown: Tables[string] = { ...kubeList, only: /^(?!secrets?\b|all\b.*,secret)(?!.*[,/]secrets?)[\w./,:-]+$/i };

/** Sub-commands of programs that talk with services, and only ask them for what there is. */
export const services: Readonly<Record<string, Tables>> = {
  gem: { list: { flags: "-l -a -d --local --all --details", operands: "text", only: /^[\w-]+$/ } },
  gh: {
    ...Object.fromEntries(
      [
        "pr list,pr view,pr diff,pr checks,pr status,issue list,issue view,issue status,run list,run view,workflow list,workflow view",
        "release list,release view,repo view,repo list,label list,search issues,search prs,search repos,search code,search commits",
      ].flatMap((names) => names.split(",").map((name) => [name, ghList])),
    ),
    "auth status": { operands: "none" },
    "run watch": ghList,
    api: {
      flags: "--paginate --slurp -i --include",
      valued: "--jq -q --template -t --cache",
      operands: "text",
      only: /^\/?(?!graphql)[\w{][\w{}./?=&%+,-]*$/,
    },
  },
  kubectl: {
    get: kubeShown,
    describe: kubeShown,
    logs: kubeLogs,
    top: kubeList,
    explain: kubeList,
    "api-resources": kubeList,
    "api-versions": kubeList,
    version: kubeList,
    "cluster-info": { operands: "none" },
    "config current-context": { operands: "none" },
    "config get-contexts": { flags: "--no-headers", valued: "-o --output", operands: "text" },
    "rollout status": kubeList,
    "rollout history": kubeList,
  },
  helm: {
    list: { flags: "-A -a -q --all-namespaces", valued: "-n -o --namespace --output", operands: "none" },
    status: { valued: "-n -o --namespace --output", operands: "text" },
    history: { valued: "-n -o --namespace --output", operands: "text" },
  },
  pip: {
    list: { flags: "-o -u -l --outdated --uptodate --local --user --not-required", valued: "--format", operands: "none" },
    show: { flags: "-f --files -v", operands: "text" },
    freeze: { flags: "-l --local --all", operands: "none" },
    check: { operands: "none" },
  },
  rustup: {
    show: { flags: "-v", operands: "text", only: /^(active-toolchain|home|profile)$/ },
    "toolchain list": { flags: "-v", operands: "none" },
    "target list": { flags: "--installed", operands: "none" },
    "component list": { flags: "--installed", operands: "none" },
  },
  terraform: {
    "fmt -check": { flags: "-diff -recursive", operands: "none" },
    "workspace list": { operands: "none" },
    "workspace show": { operands: "none" },
  },
};
