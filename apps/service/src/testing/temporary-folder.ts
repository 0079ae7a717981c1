import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Creates an empty folder before each test of a file, and removes it afterwards. */
export function useTemporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'touchstone-service-'));
  });
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}
