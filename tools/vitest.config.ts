import { defineConfig } from "vitest/config";
import { conditions } from "./vitest.ts";

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ["test/**/*.test.ts"], testTimeout: 30_000 },
});
