import { expect, test } from "vitest";
import { packageVersions } from "./package-versions.ts";

test.each([
  ["import numpy; print(numpy.__version__)", ["numpy"]],
  ["import pandas as pd\nprint(pd.__version__)\n", ["pandas", "pd"]],
  ["import sys; import django; print(sys.version, django.VERSION)", ["sys", "django"]],
  ["import torch; print('torch:', torch.__version__)", ["torch"]],
])("%s prints the versions of packages", (code, packages) => {
  expect(packageVersions(code, "python")).toEqual(packages);
});

test.each([
  "import numpy; print(numpy.zeros(3))",
  "import numpy; print(numpy.__version__); numpy.save('x', 1)",
  "import numpy; print(other.__version__)",
  "import a.b; print(a.__version__)",
  "import numpy; print(numpy.__version__.upper())",
  "import numpy; print(numpy.__version__, file=open('x', 'w'))",
  "print = exec\nimport numpy; print(numpy.__version__)",
  "from os import *; print(name.__version__)",
  "print('x')",
  "import numpy",
  "import antigravity; print(antigravity.__file__)",
])("%s is other code", (code) => {
  expect(packageVersions(code, "python")).toBeUndefined();
});

test.each([
  ["require('react/package.json').version", ["react"]],
  ["console.log(require('@scope/x').VERSION);", ["@scope/x"]],
])("%s prints the version of a package of Node", (code, packages) => {
  expect(packageVersions(code, "node")).toEqual(packages);
});

test.each([
  "require('./x').version",
  "require('/etc/x').version",
  "require('react').version()",
  "require('..').version",
  "require('a'+b).version",
])("%s is other code of Node", (code) => {
  expect(packageVersions(code, "node")).toBeUndefined();
});
