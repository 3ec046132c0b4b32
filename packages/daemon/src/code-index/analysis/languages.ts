/** How the definitions of a programming language are found in its syntax tree. The names are those of the grammar. */
export type Language = {
  /** The name of the grammar's file, without `tree-sitter-` and its ending. */
  grammar: string;
  /** Nodes that define a symbol, and the kind of the symbol. */
  symbols: Readonly<Record<string, string>>;
  /** Nodes whose children may define symbols. The bodies of functions are not among them. */
  containers: ReadonlySet<string>;
};

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const javascript = {
  symbols: {
    function_declaration: "function",
    generator_function_declaration: "function",
    function_signature: "function",
    class_declaration: "class",
    abstract_class_declaration: "class",
    interface_declaration: "interface",
    type_alias_declaration: "type",
    enum_declaration: "enum",
    internal_module: "namespace",
    module: "namespace",
    method_definition: "method",
    abstract_method_signature: "method",
    variable_declarator: "variable",
  },
  containers: set(
    "program export_statement ambient_declaration lexical_declaration variable_declaration class_declaration abstract_class_declaration class_body internal_module module expression_statement",
  ),
};

const go = {
  symbols: {
    function_declaration: "function",
    method_declaration: "method",
    type_spec: "type",
    type_alias: "type",
    const_spec: "constant",
    var_spec: "variable",
  },
  containers: set("source_file type_declaration const_declaration var_declaration var_spec_list"),
};

const python = {
  symbols: { function_definition: "function", class_definition: "class", assignment: "variable" },
  containers: set("module decorated_definition class_definition block expression_statement"),
};

const java = {
  symbols: {
    class_declaration: "class",
    interface_declaration: "interface",
    enum_declaration: "enum",
    record_declaration: "record",
    annotation_type_declaration: "annotation",
    method_declaration: "method",
    constructor_declaration: "constructor",
  },
  containers: set(
    "program class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration class_body interface_body enum_body enum_body_declarations annotation_type_body",
  ),
};

const csharp = {
  symbols: {
    class_declaration: "class",
    interface_declaration: "interface",
    struct_declaration: "struct",
    record_declaration: "record",
    enum_declaration: "enum",
    delegate_declaration: "delegate",
    method_declaration: "method",
    property_declaration: "property",
  },
  containers: set(
    "compilation_unit namespace_declaration file_scoped_namespace_declaration declaration_list class_declaration interface_declaration struct_declaration record_declaration",
  ),
};

const rust = {
  symbols: {
    function_item: "function",
    function_signature_item: "function",
    struct_item: "struct",
    enum_item: "enum",
    union_item: "union",
    trait_item: "trait",
    type_item: "type",
    const_item: "constant",
    static_item: "variable",
    mod_item: "module",
    macro_definition: "macro",
  },
  containers: set("source_file impl_item trait_item mod_item declaration_list"),
};

const ruby = {
  symbols: { method: "method", singleton_method: "method", class: "class", module: "module" },
  containers: set("program class module body_statement"),
};

const php = {
  symbols: {
    function_definition: "function",
    class_declaration: "class",
    interface_declaration: "interface",
    trait_declaration: "trait",
    enum_declaration: "enum",
    method_declaration: "method",
  },
  containers: set(
    "program namespace_definition compound_statement class_declaration interface_declaration trait_declaration enum_declaration declaration_list enum_declaration_list",
  ),
};

const cpp = {
  symbols: {
    function_definition: "function",
    declaration: "function",
    field_declaration: "method",
    class_specifier: "class",
    struct_specifier: "struct",
    union_specifier: "union",
    enum_specifier: "enum",
    type_definition: "type",
    alias_declaration: "type",
    namespace_definition: "namespace",
    preproc_function_def: "macro",
  },
  containers: set(
    "translation_unit namespace_definition declaration_list class_specifier struct_specifier field_declaration_list template_declaration linkage_specification preproc_ifdef preproc_if preproc_else type_definition",
  ),
};

const bash = { symbols: { function_definition: "function" }, containers: set("program") };

const languages: readonly [endings: string, Language][] = [
  ["ts mts cts", { grammar: "typescript", ...javascript }],
  ["tsx", { grammar: "tsx", ...javascript }],
  ["js mjs cjs jsx", { grammar: "javascript", ...javascript }],
  ["py pyi", { grammar: "python", ...python }],
  ["go", { grammar: "go", ...go }],
  ["java", { grammar: "java", ...java }],
  ["cs", { grammar: "c-sharp", ...csharp }],
  ["rs", { grammar: "rust", ...rust }],
  ["rb rake", { grammar: "ruby", ...ruby }],
  ["php", { grammar: "php", ...php }],
  ["c h cc cpp cxx hh hpp hxx", { grammar: "cpp", ...cpp }],
  ["sh bash", { grammar: "bash", ...bash }],
];

const byEnding: ReadonlyMap<string, Language> = new Map(
  languages.flatMap(([endings, language]) => endings.split(" ").map((ending) => [ending, language] as const)),
);

/** The language of a file by the ending of its name. */
export const languageOf = (file: string): Language | undefined => byEnding.get(file.slice(file.lastIndexOf(".") + 1).toLowerCase());

/** The names of all grammars. */
export const grammarNames: readonly string[] = languages.map(([, { grammar }]) => grammar);
