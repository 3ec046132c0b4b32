import { nameMatcher, wordSet } from "../tables/name-matcher.ts";

/** Variables that only choose the amount or form of a program's output, or the kind of build. */
const HARMLESS =
  wordSet(`CI DEBUG VERBOSE LOG_LEVEL NODE_ENV APP_ENV RAILS_ENV RACK_ENV MIX_ENV ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT NO_COLOR FORCE_COLOR CLICOLOR
  CLICOLOR_FORCE COLORTERM TERM COLUMNS LINES TZ LANG LANGUAGE RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR GOOS GOARCH CGO_ENABLED PORT HOST
  PYTHONUNBUFFERED PYTHONHASHSEED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING NODE_NO_WARNINGS VITEST JEST_WORKER_ID UPDATE_SNAPSHOTS HUSKY
  SKIP_PREFLIGHT_CHECK NEXT_TELEMETRY_DISABLED DO_NOT_TRACK TURBO_TELEMETRY_DISABLED TEST_TIMEOUT SOURCE_DATE_EPOCH DOCKER_BUILDKIT
  COMPOSE_PROJECT_NAME DEBIAN_FRONTEND HEADLESS SECRET_KEY JWT_SECRET FLASK_DEBUG APP_DEBUG DJANGO_SETTINGS_MODULE DJANGO_DEBUG
  DJANGO_SECRET_KEY SPRING_PROFILES_ACTIVE TF_LOG TF_IN_AUTOMATION TF_INPUT CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL`);

/** True if a program may be started with this variable, whatever its value is. */
export const harmlessVariable = (name: string): boolean =>
  HARMLESS.has(name) || /^(LC|VITE|NEXT_PUBLIC|REACT_APP)_[A-Z_]+$|^(?!(BASH|VIRTUAL|CONDA\w*|TOX|HATCH|PYENV)_)[A-Z]+_ENV$/.test(name);

/** Variables that control programs, with the values that are known to be harmless. */
const SETTINGS: readonly (readonly [names: string, value: RegExp])[] = [
  ["SECONDS RANDOM", /^\d+$/],
  ["GIT_PAGER PAGER MANPAGER GH_PAGER", /^(cat)?$/],
  ["GIT_EDITOR GIT_SEQUENCE_EDITOR", /^(true|:)$/],
  ["GIT_SEQUENCE_EDITOR", /^cat$/],
  ["GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT GIT_LFS_SKIP_SMUDGE", /^[01]$/],
  [
    "NODE_OPTIONS",
    /^(--(max[-_]old[-_]space[-_]size=\d+|(no|trace)-(warnings|deprecation)|enable-source-maps|experimental-(vm-module|strip-type)s)( |$))+$/,
  ],
  ["JAVA_HOME GOROOT", /^\/(usr\/lib\/jvm|usr\/local|opt)\/(?!.*\.\.(\/|$))[\w./+-]+$/], // what the system installs
  ["RUSTFLAGS", /^(-[ADFW] ?[\w:-]+( |$))+$/],
  ["CC CXX", /^(cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(-\d+)?$/],
  ["GOMAXPROCS", /^\d+$/],
  ["GODEBUG", /^(gctrace|schedtrace|inittrace)=\d+$/],
  ["GOFLAGS", /^-(mod=(vendor|readonly)|count=1|race|v)$/],
];

/** Folders of the workspace from which Python loads modules. A program that only prints facts about itself loads these modules too. */
const MODULES = /^(\.|(\.\/)?\w[\w-]*(\/\w[\w-]*)*)\/?(:(\.|\w[\w-]*(\/\w[\w-]*)*)\/?)*$/;
const LOADS_MODULES = /^(python[\d.]*|pytest|mypy|pyright|coverage|tox|nox|uvicorn|gunicorn|flask|alembic|celery|ruff|black)$/;

/** A time zone or a language by a path out of the folder of all of them. A program reads the file, and even formats from it. */
const ELSEWHERE = /^:?\/|(^|[:/])\.\.(\/|$)/;

/** True if a program may be started with this variable set to this value. */
export const harmlessSetting = (name: string, value: string | undefined, program = ""): boolean =>
  (harmlessVariable(name) && !(/^(TZ|LANG|LC_)/.test(name) && (value === undefined || ELSEWHERE.test(value)))) ||
  (/^[A-Z][A-Z\d]*(_[A-Z\d]+)*_PORT$/.test(name) && /^\d+$/.test(value ?? "")) ||
  (name === "AWS_PROFILE" && program === "aws" && /^[\w.-]+$/.test(value ?? "")) ||
  (name === "PYTHONPATH" && LOADS_MODULES.test(program) && value !== undefined && MODULES.test(value)) ||
  (value !== undefined && SETTINGS.some(([names, form]) => names.split(" ").includes(name) && form.test(value)));

/** True if a value of `IFS` contains only characters at which the shell splits by default. */
export const isPlainSeparator = (value: string | undefined): boolean => value !== undefined && /^[ \t\n]*$/.test(value);

/**
 * Variables of bash itself, and variables that programs read. The shell evaluates a value for `RANDOM` as arithmetic, and that
 * can contain commands. Source: "Shell Variables" in bash(1).
 */
export const steersPrograms = nameMatcher(`PATH HOME IFS ENV CDPATH PWD OLDPWD PS# PROMPT* BASH* SHELL* HIST* MAIL* OPTARG OPTERR OPTIND
  REPLY FUNC* DIRSTACK RANDOM SRANDOM SECONDS LINENO EPOCH* GROUPS UID EUID PPID PIPESTATUS SHLVL GLOBIGNORE FIGNORE EXECIGNORE TMOUT TMPDIR
  INPUTRC COMP* READLINE* COPROC MAPFILE POSIXLY_CORRECT TIMEFORMAT EDITOR VISUAL PAGER BROWSER USER LOGNAME LD_* DYLD_* GIT_* SSH_* NODE_*
  NPM_* PYTHON_* PERL_* RUBY_* JAVA_* GO_* CARGO_* RUST_* DOCKER_* KUBE_* AWS_* LESS_* GCC_* C_* CXX_* MAKE_* HTTP_* HTTPS_* FTP_* ALL_*
  NO_* XDG_* BATON_* LESS* MAKE* CC CXX CFLAGS JAVA* PERL* RUBY* PYTHON* GO*`);

/**
 * True if a script may set this variable for its own use. A program that the shell starts sees the variable only if it was
 * already exported when the shell started. The gate judges `export` itself separately.
 */
export const ownVariable = (name: string): boolean =>
  harmlessVariable(name) ||
  (process.env[name] === undefined &&
    (/^_?[A-Z][A-Z0-9_]*$/.test(name)
      ? !steersPrograms(name.replace(/^_/, ""))
      : /^_?[a-z][a-z0-9_]*$/.test(name) && !/_proxy$|^[ef]?grep$/.test(name))); // `grep` is a word of the messages of grep
