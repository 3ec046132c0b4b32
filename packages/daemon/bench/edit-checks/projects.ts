/** Code for one language server: modules, and a file for each that uses it. */
export type Project = {
  server: string;
  files: Record<string, string>;
  module: (i: number) => string;
  textOf: (i: number, version: number) => string;
};

const MODULES = 30;

type Source = Omit<Project, "files"> & { shared?: Record<string, string>; user: (i: number) => [file: string, text: string] };

const sources: readonly Source[] = [
  {
    server: "typescript",
    shared: { "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "nodenext"}, "include": ["ts"]}' },
    module: (i) => `ts/price${i}.ts`,
    textOf: (i, version) => `// ${version}\nexport function price${i}(amount: number): number {\n  return amount * ${version};\n}\n`,
    user: (i) => [`ts/cart${i}.ts`, `import { price${i} } from "./price${i}.js";\n\nexport const total${i}: number = price${i}(3);\n`],
  },
  {
    server: "pyright",
    shared: { "shop/__init__.py": "" },
    module: (i) => `shop/price${i}.py`,
    textOf: (i, version) => `# ${version}\ndef price${i}(amount: int) -> int:\n    return amount * ${version}\n`,
    user: (i) => [`shop/cart${i}.py`, `from shop.price${i} import price${i}\n\ntotal${i}: int = price${i}(3)\n`],
  },
  {
    server: "gopls",
    shared: { "go.mod": "module shop\n\ngo 1.19\n" },
    module: (i) => `price${i}.go`,
    textOf: (i, version) => `package shop\n\n// ${version}\nfunc price${i}(amount int) int { return amount * ${version} }\n`,
    user: (i) => [`cart${i}.go`, `package shop\n\nvar Total${i} int = price${i}(3)\n`],
  },
  {
    server: "clangd",
    module: (i) => `c/price${i}.h`,
    textOf: (i, version) => `// ${version}\nstatic int price${i}(int amount) { return amount * ${version}; }\n`,
    user: (i) => [`c/cart${i}.c`, `#include "price${i}.h"\nint total${i}(void) { return price${i}(3); }\n`],
  },
  {
    server: "bash",
    module: (i) => `sh/price${i}.sh`,
    textOf: (i, version) => `#!/bin/bash\n# ${version}\nprice${i}() { echo $(($1 * ${version})); }\n`,
    user: (i) => [`sh/cart${i}.sh`, `#!/bin/bash\nsource sh/price${i}.sh\nprice${i} 3\n`],
  },
];

export const projects: readonly Project[] = sources.map(({ shared = {}, user, ...project }) => {
  const numbers = Array.from({ length: MODULES }, (_, i) => i);
  const modules = numbers.map((i) => [project.module(i), project.textOf(i, 1)] as const);
  return { ...project, files: { ...shared, ...Object.fromEntries([...modules, ...numbers.map(user)]) } };
});

/** All files of all projects in one folder. */
export const allFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(projects.flatMap(({ files }) => Object.entries(files))),
  "compile_commands.json": "[]",
};
