import { parseTables } from "./argument-table.ts";

/** Subcommands of programs that talk to services. They only ask for what exists. For a cluster, they cover everything except secrets. */
export const services = parseTables(String.raw`
gem list | operands=text | flags: -l -a -d --local --all --details | only: ^[\w-]+$
gh pr list,gh pr view,gh pr diff,gh pr checks,gh pr status,gh issue list,gh issue view,gh issue status,gh run list,gh run view,gh workflow
  list,gh workflow view,gh release list,gh release view,gh repo view,gh repo list,gh label list,gh search issues,gh search prs,gh search
  repos,gh search code,gh search commits,gh run watch | operands=text | flags: -c --comments --name-only --patch --draft --log --log-failed
  --exit-status --required --paginate | valued: --json --jq --template -q -t -R --repo -L --limit -s --state -l --label -A
  --author -a --assignee -b --branch -S --search --workflow -e --event -u --user -B --base -H --head -j --job --status --color --sort
  --order --owner --language | only: ^(https:\/\/github\.com\/.*|(?!\w+:\/\/|\S+@\S+:)[^/]*(\/[^/]*)?)$
gh auth status,kubectl cluster-info,kubectl config current-context,pip check,terraform workspace show | operands=none
gh api | operands=text | flags: --paginate --slurp -i --include | valued: --jq -q --template -t --cache | only:
  ^\/?(?!graphql)[\w{][\w{}./?=&%+,-]*$
kubectl,kubectl top,kubectl explain,kubectl api-resources,kubectl api-versions,kubectl version,kubectl rollout status,kubectl rollout
  history | operands=text | flags: -A -w --all-namespaces --watch --show-labels --no-headers --all-containers --client --short --recursive |
  valued: -n -o -l -c --namespace --output --selector --container --tail --since --since-time --sort-by --context --field-selector
  --limit-bytes --api-version --api-group
kubectl logs | @kubectl | flags+: --previous -p -f --follow
kubectl get,kubectl describe | @kubectl | only/i: ^(?!secrets?\b|all\b.*,secret)(?!.*[,/]secrets?)[\w./,:-]+$
kubectl config get-contexts | operands=text | flags: --no-headers | valued: -o --output
helm status | operands=text | valued: -n --namespace
helm list,helm history | operands=text | flags: -A -a -q --all-namespaces | valued: -n -o --namespace --output --max
pip list,pip freeze | operands=none | flags: -l --local --all --user --not-required --exclude-editable | valued: --format
pip show | operands=text | flags: -f --files -v
rustup show | operands=text | flags: -v | only: ^(active-toolchain|home|profile)$
gzip -l,gzip -t,gzip -tv,gzip --list,gzip --test,xz -l,xz -t,zstd -l,zstd -t | operands=reads | flags: -q -v | endings: .gz .z .Z .xz .zst
unzip -l,unzip -p,unzip -t,unzip -v,unzip -c,unzip -Z,unzip -Z1,unzip -ql,unzip -qp,unzip -lv | flagsFirst noEnd operands=reads | only: ^[^-] | endings: .zip .ZIP | flags: -1 -q
jar tf,jar tvf,jar -tf,jar -tvf,7z l,7z t | operands=reads | only: ^[^-@]
dpkg -l,dpkg -L,dpkg -s,dpkg -S | operands=text
node --check,node -c | operands=reads | only: \.[cm]?js$
ssh-keygen -l | operands=none | flags: -v | valued: -E | reads: -f
ssh-keygen -lf | operands=reads | flags: -v | valued: -E
systemctl status,systemctl is-active,systemctl is-enabled | operands=text | flags: --no-pager -l --full --user | valued: -n --lines
npm root,npm bin,npm prefix,npm config list,npm run,npm run-script,pnpm root,pnpm prefix | operands=none | flags: -g
npm ls,npm list,npm ll,npm why,npm explain,pnpm ls,pnpm list,pnpm ll,pnpm why | operands=text | flags: -a -g -l -p --all --json --long --global --parseable --link
  --package-lock-only --prod --production --dev | valued: --depth | attached: --omit --include --only | only: ^@?\w[\w.-]*(\/[\w.-]+)?$
npm query | operands=text | only: ^[.#*]?[\w-]*$
npm config get,pnpm config get | operands=text | only: ^(?!.*(auth|token|password|key|proxy))[a-z][a-z-]*$
npm pkg get | operands=text
rustup toolchain list,rustup target list,rustup component list | operands=none | flags: -v --installed
terraform fmt -check | operands=none | flags: -diff -recursive
`);
