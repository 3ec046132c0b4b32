import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A real folder for one test, which is removed when the test ends. */
export class Folder implements Disposable {
  readonly path = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-test-")));

  at(relative: string): string {
    return path.join(this.path, relative);
  }

  /** Writes a file and the folders above it. Returns its path. */
  async write(relative: string, content: string | Uint8Array): Promise<string> {
    const file = this.at(relative);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
