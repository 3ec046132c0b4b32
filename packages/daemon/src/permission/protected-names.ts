import path from "node:path";

/**
 * Names in a workspace that control what an editor, an agent, a service or a tool runs. An edit of such a file always asks.
 *
 * A name belongs here under two conditions. A program reads the file or the folder on its own. A setting in it can name a
 * program, an address or code that the program then runs or loads. A file that merely describes a build which the user starts
 * (such as `Makefile` or `package.json`) does not belong here. Each row has its source.
 */
export const PROTECTED: readonly string[] = [
  // Git and other version control. Source: git-config(1), githooks(5), gitattributes(5), hgrc(5).
  ".git git~1 .lfsconfig .arcconfig .gitmodules .gitattributes .gitconfig .githooks .hg .hgrc .svn .jj",
  // Managers of hooks. Source: the documentation of husky, lefthook, pre-commit, overcommit, simple-git-hooks.
  ".husky .huskyrc husky.config.js .nano-staged.json .huskyrc.json .captainhook.json captainhook.json grumphp.yml grumphp.yml.dist prek.toml .rusty-hook.toml .lintstagedrc .lintstagedrc.js .lintstagedrc.cjs .lintstagedrc.mjs .lintstagedrc.json .lintstagedrc.yaml .lintstagedrc.yml lint-staged.config.js lint-staged.config.cjs lint-staged.config.mjs lint-staged.config.ts .trunk .moon .lefthook .hk.pkl hk.pkl .lefthook-local.yml .lefthook-local.yaml .lefthook-local.toml .lefthook-local.json .huskyrc.js .overcommit.yml .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml lefthook.yml lefthook.yaml lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml .lefthook.toml .lefthook.json lefthook-local.yml lefthook-local.yaml lefthook-local.toml lefthook-local.json .simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs simple-git-hooks.json simple-git-hooks.js simple-git-hooks.cjs",
  // Editors. Source: the documentation of VS Code, JetBrains, Cursor, Zed, Windsurf, Visual Studio, Fleet, Helix, Nova, Lapce, Vim, Neovim, Emacs, Kakoune.
  ".vscode .idea .cursor .zed .windsurf .vs .fleet .helix .nova .lapce .trae .devcontainer .devcontainer.json .theia .run .externaltoolbuilders .lite_project.lua .lazy.lua .neoconf.json .luarc.json .vimspector.json cmakepresets.json cmakeuserpresets.json .kakrc.local .gitpod .gitpod.yml .idx .replit replit.nix devfile.yaml .devfile.yaml .codesandbox .ona .stackblitzrc .space.kts .exrc .vimrc .gvimrc .lvimrc .bsp .superset .nvimrc .nvim.lua .vim .nvim .dir-locals.el .dir-locals-2.el .kakrc .ycm_extra_conf.py .projectile",
  // Agents. Source: the documentation of each agent.
  ".baton .claude .gemini .codex .opencode opencode.json opencode.jsonc kilo.json kilo.jsonc .kilo .kilocode .kilocodemodes .roo .roomodes .agents .cline .clinerules .cursorrules .windsurfrules .aider.conf.yml .aider.model.settings.yml .continue .qwen .kiro .junie .amazonq .augment .crush .crush.json crush.json .goose .goosehints .amp .factory .openhands .rovodev .codebuddy .warp .mcp.json .lsp.json mcp.json .opencode.json .agent .ai .aiassistant .aider.model.metadata.json .auggie .augment-guidelines .continuerc.json .continuerules .grok .iflow .openhands_instructions .pi .pr_agent.toml .qoder .rules .roorules conductor.json smithery.yaml",
  // Managers of packages and versions. Source: the documentation of npm, pnpm, Yarn, Bun, sbt, SwiftPM, pip, conda, RubyGems, Bundler, mise, asdf, Bazel, Maven.
  ".npmrc .sbtopts .jvmopts .swiftpm .yarnrc pnpm-workspace.yaml .pnpmfile.mjs .corepack.env uv.toml poetry.toml .poetry pixi.toml .pixi .mambarc nuget.config global.json rust-toolchain rust-toolchain.toml gradle.properties gradle-wrapper.jar .bazelversion .buckconfig .buckconfig.local aqua.yaml .aqua.yaml .aqua .prototools .proto .vfox.toml .pkgx.yaml pkgx.yaml .rtx.toml .sdkmanrc .miserc.toml .terraform .yarnrc.yml .pnpmfile.cjs pnpmfile.cjs .pnp.cjs .pnp.loader.mjs bunfig.toml .bunfig.toml pip.conf pip.ini .condarc .gemrc .tool-versions mise.toml .mise.toml mise.local.toml .mise.local.toml .mise .bazelrc .bazeliskrc .mvn",
  // Environments of shells. Source: the documentation of direnv, autoenv, devbox, devenv, terminfo(5).
  ".envrc .terminfo .direnv .shadowenv.d .flox devenv.nix devenv.local.nix devenv.local.yaml flake.nix shell.nix hermit.hcl activate-hermit .autoenv.fish .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .inputrc .direnvrc .autoenv .autoenv.zsh .autoenv_leave.zsh devbox.json devenv.yaml",
  // Files that an interpreter or a debugger loads at its start. Source: gdb(1), the documentation of lldb, pdb, pry, irb, byebug, R, GHCi, OCaml, IEx, Octave.
  ".gdbinit .gdbinit.local .pdbrc.py .perldb .proverc ansible.cfg ipython_config.py jupyter_notebook_config.py jupyter_server_config.py jupyter_lab_config.py .lldbinit .pdbrc .pryrc .irbrc .byebugrc .rdbgrc .rprofile .renviron .ghci .ocamlinit .iex.exs .octaverc",
  // Access to other machines. Source: netrc(5), the documentation of twine and OpenSSH.
  ".netrc .pypirc .ssh",
  // Services that build. Source: the documentation of each service.
  ".gitlab-ci.yml .gitlab-ci.yaml .circleci .travis.yml jenkinsfile azure-pipelines.yml .vsts-ci.yml .vela.yml .vela.yaml .rwx buddy.yml .buddy .copr .obs azure-pipelines.yaml bitbucket-pipelines.yml .drone.yml .woodpecker.yml .woodpecker.yaml .woodpecker .buildkite .cirrus.yml .cirrus.yaml .cirrus.star .zuul.yaml zuul.yaml .zuul.d zuul.d .gocd.yaml .readthedocs.yaml .readthedocs.yml netlify.toml vercel.json .eas .taskcluster.yml .cpanel.yml .drone.yaml .drone.star .drone.jsonnet buildkite.yml buildkite.yaml cloudbuild.json codefresh.yml evergreen.yml ci_scripts .onedev-buildspec.yml .packit.yaml .azure-pipelines.yml .azure-pipelines.yaml .azuredevops renovate.json renovate.json5 .renovaterc .renovaterc.json .renovaterc.json5 .mergify .mergify.yml .kodiak.toml appveyor.yml .appveyor.yml .semaphore .teamcity .tekton .harness .build.yml .builds codemagic.yaml bitrise.yml wercker.yml screwdriver.yaml cloudbuild.yaml cloudbuild.yml buildspec.yml buildspec.yaml",
].flatMap((names) => names.split(" "));

/** Names that are protected only in that folder. */
export const PROTECTED_IN: readonly (readonly [folder: string, name: string])[] =
  ".gitea/workflows .github/workflows .github/actions .github/agents .github/chatmodes .github/copilot-instructions.md .github/hooks .github/instructions .github/prompts .github/skills .github/codeowners .github/dependabot.yml .github/dependabot.yaml .github/mergify.yml .github/renovate.json .github/renovate.json5 .github/settings.yml .forgejo/workflows .forgejo/actions .gitea/actions .gitlab/agents .gitlab/duo .gitlab/renovate.json .config/fish .config/dotnet-tools.json .config/hk.pkl tools/bazel project/build.properties .config/mise.toml .config/mise mise/config.toml .cargo/config .cargo/config.toml .bundle/config .yarn/releases .yarn/plugins wrapper/gradle-wrapper.properties"
    .split(" ")
    .map((place) => [path.posix.dirname(place), path.posix.basename(place)]);

/** Endings of names that are protected as well. */
export const PROTECTED_ENDINGS: readonly string[] = [".code-workspace", ".sublime-project", ".run.xml", ".gocd.yaml"];

/** Protected names with a variable part, such as the environment in `mise.production.toml`. */
export const PROTECTED_PATTERN = /^(\.?mise\.[\w.-]+\.toml|\.roorules-[\w-]+)$/;
