import { namePairs, wordSet } from "./name-matcher.ts";

/** Reads objects with their members: `console(log error) fs(statSync)`. */
const rootsOf = (text: string) =>
  new Map([...text.matchAll(/([\w./]+)\(([^)]*)\)/g)].map(([, name = "", list = ""]) => [name, wordSet(list)]));

/** Functions and classes that code for Node may call, besides those of PLAIN_NAMES. */
export const JAVASCRIPT_NAMES =
  wordSet(`Array String Number Boolean Date Set Map WeakMap WeakSet RegExp BigInt Promise URL URLSearchParams TextEncoder TextDecoder setTimeout clearTimeout
  setInterval clearInterval setImmediate structuredClone parseInt parseFloat isNaN isFinite
  encodeURIComponent decodeURIComponent`);

/** Objects with some of their members. */
export const JAVASCRIPT_ROOTS =
  rootsOf(`console(log error warn info debug table dir assert time timeEnd count group groupEnd) performance(now) Math(max min floor ceil round trunc sign abs pow sqrt cbrt hypot exp
    log log2 log10 sin cos tan atan atan2 random PI E) JSON(stringify parse) Object(keys values entries fromEntries is assign hasOwn freeze) Buffer(from
    byteLength) process(version versions platform arch pid uptime cwd env argv exit exitCode stdin stdout hrtime memoryUsage) Intl(DateTimeFormat NumberFormat PluralRules ListFormat
    RelativeTimeFormat Collator) fs(promises)
    fs/promises() util(inspect format isDeepStrictEqual)
    assert(ok equal notEqual strictEqual notStrictEqual deepEqual deepStrictEqual throws match) path(join basename extname dirname resolve relative
    normalize sep isAbsolute parse) os(cpus totalmem freemem platform arch release type EOL hostname homedir tmpdir uptime loadavg)
    crypto(randomBytes randomUUID randomInt createHash getHashes)`);

/** Names that lead to more than these, or do so in some version of Node. */
export const JAVASCRIPT_BANNED = wordSet(
  "await localStorage sessionStorage EventSource Worker WebTransport arguments require module exports root GLOBAL self window",
);

/** Members that may follow an entry with a computed name (`a[k].length`), although objects of the language have them, too. */
export const AFTER_COMPUTED = wordSet(`name length includes join toString slice indexOf lastIndexOf at keys entries values padStart padEnd
  trim split startsWith endsWith toUpperCase toLowerCase toFixed has get size test version resolved dependencies devDependencies scripts description
  type id title status message total count value pct`);

/** Members through which a JavaScript value leads to code or to its caller. */
export const LEADING = /constructor|^custom$|prototype|__|caller|callee|mainModule|prepareStackTrace/;

/**
 * Members of streams of Node, which look up functions by their names, and members that belong to Node itself. Input and hashes are streams.
 */
export const EVENTS = /^(_.+|listeners|rawListeners|emit|on|once|off|(add|remove|prepend)\w*Listeners?|eventNames|pipe|compose|connect)$/;

/** Functions and values of Python that code may use. */
export const PYTHON_NAMES =
  wordSet(`print len range sum min max sorted reversed list dict set frozenset tuple str int float bool bytes abs round enumerate zip
  map filter any all chr ord hex bin oct repr ascii divmod pow isinstance next iter hash hasattr exit quit`);

/** Modules with some of their members. */
export const PYTHON_ROOTS =
  rootsOf(`json(load loads dump dumps JSONDecodeError) math(sqrt floor ceil pi e log log2 log10 pow sin cos tan gcd lcm comb factorial hypot inf nan
    isnan fsum prod exp trunc isqrt) sys(version version_info platform executable maxsize byteorder stdin stdout stderr exit argv) re(findall
    finditer match search fullmatch sub subn split compile escape IGNORECASE MULTILINE DOTALL I M S) collections(Counter defaultdict
    OrderedDict deque) itertools(cycle chain islice groupby product permutations combinations accumulate zip_longest count repeat takewhile
    dropwhile) ast(parse walk dump unparse get_docstring literal_eval FunctionDef AsyncFunctionDef ClassDef Import ImportFrom Call Name Attribute Assign
    Constant) datetime(datetime date timedelta timezone) time(time sleep perf_counter strftime gmtime localtime) textwrap(dedent fill wrap
    indent shorten) statistics(mean median mode stdev pstdev variance quantiles) string(ascii_letters ascii_lowercase ascii_uppercase
    digits punctuation) base64(b64encode b64decode urlsafe_b64encode urlsafe_b64decode) hashlib(sha256 sha1 md5 sha512) pprint(pprint
    pformat) csv(reader DictReader writer DictWriter) functools(reduce partial cmp_to_key) heapq(heappush heappop heapify nlargest nsmallest)
    bisect(bisect bisect_left bisect_right insort) shlex(split quote join) unicodedata(name normalize category) fnmatch(fnmatch filter)
    io(StringIO BytesIO open) zlib(compress decompress crc32 adler32) binascii(hexlify unhexlify crc32) glob(glob)
    operator(itemgetter) typing(Any Dict List Optional Set Tuple Union Iterable) tomllib(load loads) yaml(safe_load) pathlib(Path) os(walk listdir stat makedirs mkdir remove unlink rename replace getcwd getpid cpu_count path) shutil(copy copy2 copyfile move)
    os.path(join basename dirname splitext split normpath isabs abspath relpath exists isfile isdir getsize getmtime) zipfile(ZipFile
    is_zipfile BadZipFile) random(getrandbits random randint choice choices shuffle sample uniform seed) secrets(token_hex token_urlsafe token_bytes
    randbelow choice) difflib(unified_diff context_diff ndiff
    get_close_matches SequenceMatcher) decimal(Decimal ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP) fractions(Fraction) uuid(uuid4 uuid5 uuid3 UUID NAMESPACE_DNS NAMESPACE_URL) platform(system release machine node python_version) html(escape unescape) struct(pack unpack unpack_from calcsize) urllib(parse) urllib.parse(quote unquote quote_plus
    unquote_plus urlparse urlsplit urlencode parse_qs parse_qsl urljoin) tkinter(TkVersion)`);

/** Names that lead to more than these. */
export const PYTHON_BANNED =
  wordSet(`eval exec execfile reload apply compile open input breakpoint getattr setattr delattr globals locals vars dir super
  property memoryview help classmethod staticmethod object callable type license copyright credits`);

/** Functions of Python that use files, with the use of each argument. */
export const PYTHON_FILES =
  namePairs(`zipfile.ZipFile=reads zipfile.is_zipfile=reads os.walk=names os.listdir=names os.stat=names os.path.exists=names os.path.isfile=names
  os.path.isdir=names os.path.getsize=names os.path.getmtime=names os.makedirs=writes os.mkdir=writes os.remove=writes os.unlink=writes
  os.rename=moves,writes os.replace=moves,writes shutil.move=moves,writes shutil.copy=reads,writes shutil.copy2=reads,writes
  shutil.copyfile=reads,writes`);

/** Functions of Node that use files, with the use of each argument. Each of them has another one that ends with `Sync`. */
export const JAVASCRIPT_FILES =
  namePairs(`readFile=reads writeFile=writes appendFile=writes readdir=names exists=names access=names stat=names mkdir=writes copyFile=reads,writes
  rename=moves,writes unlink=writes`);

/** Members of Python values that compute, print, read or write. */
export const PYTHON_MEMBERS =
  wordSet(`split rsplit splitlines join upper lower title capitalize strip lstrip rstrip replace startswith endswith
  removeprefix removesuffix count index find rfind append extend insert pop remove update setdefault add discard union intersection
  difference items keys values get sort reverse copy clear zfill ljust rjust center isdigit isalpha isalnum isupper islower isspace
  partition rpartition encode decode hexdigest digest group groups groupdict span start end findall finditer match search sub subn most_common
  elements strftime isoformat fromtimestamp fromisoformat strptime weekday ratio utc total_seconds days seconds year month day hour minute second now today utc utcnow timestamp date read readline
  readlines close write writelines writerow writerows writeheader getvalue truncate flush buffer real imag name stem suffix parts lineno msg offset body args id targets value func attr module names asname node
  left right elts level exists is_file is_dir read_text read_bytes quantize stat st_size st_mtime st_mode as_posix major minor micro
  releaselevel seek tell namelist infolist testzip file_size compress_size date_time netloc query scheme hostname fragment hex`);

/** Python's standard modules. A file of that name beside the code would replace one. Source: `sys.stdlib_module_names`. */
export const STANDARD_MODULES = wordSet(`StringIO cStringIO Queue UserDict urllib2 urlparse copy_reg cPickle ConfigParser md5
  HTMLParser httplib Tkinter xmlrpclib mimetools popen2 abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64
  bdb binascii binhex bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression
  concurrent configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
  distutils doctest dummy_threading email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions
  ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp
  importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma macpath mailbox mailcap marshal math mimetypes
  mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse org os ossaudiodev
  parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr
  pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex
  shutil signal site sitecustomize smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat
  statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios
  textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing
  unicodedata unittest urllib usercustomize uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc yaml
  zipapp zipfile zipimport zlib zoneinfo`);
