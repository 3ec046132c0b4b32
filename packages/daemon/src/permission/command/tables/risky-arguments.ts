/** A scheme before an image name that is not an image format, and flags that run a script. Source: imagemagick.org, "Formats". */
const IMAGE_CODER =
  /(^| )(\||-script|-write|\w+:@|(?!(png|jpe?g|gif|webp|bmp|tiff?|pdf|svg|ico|xc|canvas|gradient|pattern|null|rose|logo|label|caption|histogram|plasma|radial-gradient|mpr|miff|ppm|rgba?):)[a-z]\w*:)/i;

/** Programs with a pattern for the text of a call. A matching call runs or loads something else, or reaches further than usual. */
export const RISKY_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  sqlite3:
    /(^|[\s;])\.(?!(tables?|schema|headers?|mode|dump|indexes|indices|databases|width|separator|nullvalue|timer|stats|show|help|quit|exit|explain|eqp|echo|changes|print|fullschema|dbinfo|limit|version|bail)\b)[a-z]+\b(?![./])|load_extension|writefile|readfile|\bedit\s*\(|\battach\b|\bvacuum\b.*\binto\b|(^| )--?(init|cmd|A\w*|archive)( |=|$)/i,
  lsof: /@(?!(localhost|[\d.]+|\[[\da-f:]+\])(:|\s|$))/i, // asks a name server
  less: /(^| )\+\S*[!|]/,
  psql: /\\(!|copy|o|out|i|ir|include\w*|gx?|w|write|s|e[fv]?|edit|cd|lo_\w+|setenv)\b|\\!|(to|from)(\s|\/\*.*?\*\/)+program|(^| |=|-o)\||\b(drop|truncate) /i,
  mysql: /\\!|(^|[\s;])system |load_file|outfile|--(page|tee|plugin-dir|init-command|defaults)|\b(drop|truncate) /i,
  mongosh: /--eval|\.js\b/,
  "redis-cli": /flush(all|db)|config set|eval|--eval|shutdown|debug|slaveof|replicaof/i,
  duckdb: /\.(shell|sh|system|output|once|excel|read|open|import|cd|edit)\b|-init|(^|[\s;])(install|load|attach|copy|export|import)\s/i,
  pandoc: /(^| )(--lua\w*|--fil\w*|-\w*[FLd]|--defaults|--pdf-engine|--extract-media|https?:)|\.lua\b/,
  convert: IMAGE_CODER,
  magick: IMAGE_CODER,
  ffmpeg:
    /(^| )(\w+:(?!\w)|\w+:\/\/|concat:|file:|async:|https?:|-report|-f concat|subfile:|-dump_attachment|-protocol_\w+)|textfile=|\b(ladspa|frei0r|lv2|dnn_\w+|opencl\w*)=/,
  exiftool: /(^| )-(if|config|w|execute|p|printformat|api|@)\d*( |=|$)|<[^ ]*\$\{/i,
  deno: /(^|^-q )(install|repl|upgrade|publish|eval)( |$)|(^| )data:|(^| )(-A |--allow-all |--allow-run )?(https?:|npm:|jsr:)| --eval( |$)| -$/,
  cargo: /^\+\S*\/|^clean .*--target-dir| -C ?(linker|link-arg|runner)|^watch (.* )?(-s|--shell)[ =]/,
  go: /-ext(ld|ldflags)|-linkmode[= ]external|flags[= ]@|^env (.* )?-[wu]( |$)|^telemetry (on|off)|^(run|install) (.* )?(\S+@\S+|https?:\S*)/,
  kubectl: /(columns|template|path)-?file=|(^| )(-\w*o|--output)[= ]?[^= ]*[$`*]/i,
  gh: /(^| )(-\w*R|--repo)[= ]?=?"?(\w+:|\S*@|[^ /]+\/[^ /]+\/|[$`])/,
  glab: /(^| )(-\w*R|--repo)[= ]?=?"?(\w+:|\S*@|[$`])|(^| )https?:(?!\/\/gitlab\.com\/)/,
  terraform:
    /-from-module|-plugin-dir|^(output|show) .*-(raw|json)|^output( -\S+)* [^-]|^providers (lock|mirror)|-(migrate-state|force-copy)/,
  prisma: /--(force-reset|accept-data-loss)/,
  uv: /^run (.* )?(-$|--with[\w-]*[= ](?!(pytest|ruff|mypy|black|requests|httpx|rich|numpy|pandas)(?=[=<>~! ]|$)))/,
  pytest: /(^| )(-p ?(?!no:|xdist|randomly|pytest_)|-o |--override-ini|--pastebin|--pyargs|--tx|--px|--rsync)/,
  eslint: /(^| )--init( |$)/,
  mypy: /--install-types|--python-executable/,
  cmake:
    /(^| )-(P|E)( |$)|(^| )-D ?(?!(CMAKE_(BUILD_TYPE|EXPORT_COMPILE_COMMANDS|CXX_STANDARD|C_STANDARD|INSTALL_PREFIX|POSITION_INDEPENDENT_CODE|UNITY_BUILD|VERBOSE_MAKEFILE|COLOR_\w+)|(?!CMAKE_|\w*(EXECUTABLE|PROGRAM|COMMAND|COMPILER|LAUNCHER))\w+)(:\w+)?=[\w.+-]*( |$))/,
  just: /(^| )(--shell|--command|-c|-f|--justfile)( |=)/,
  rake: /(^| )(-\w*[eErp]\S*|--execute\S*|--require)( |=|$)/,
  cpio: /(^| )(-\w*[oip]|--create|--extract|--pass)/,
  install: /--strip-p|(^| )-\w*d\w* |(^| )-\w*m ?(0?[2-7]\d{3}|\S*s)|(^| )-\w*[og]/,
  jest: /(^| )--config[ =]?\{/,
  openssl: /(^| )-url[ =]/,
  mktemp: /-p ?\/|--tmpdir=\//,
  php: /^(\S*artisan )?(?!-\w?[vlim]\b)-\w*[zdcS]|(^| )(tinker|--(process-\w+|define|server|run)\S*)( |=|$)/,
  tcpdump: /(^| )-[a-zA-Z]*z|--postrotate-command/,
  tshark: /(^| )-X|-z /,
  "7z": /(^| )-o(\/|\.\.|~)|(^| )-so( |$)/,
};
