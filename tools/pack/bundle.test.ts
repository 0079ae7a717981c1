import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { listPackageFolders, writeBundle } from './bundle.ts';
import { writeDeclarations } from './package-files.ts';

const ENTRY = fileURLToPath(new URL('../../libs/guard/src/index.ts', import.meta.url));

/** Maximum size of the guard's bundle before compression, in bytes. Wallets load the bundle in browsers. */
const MAX_GUARD_BYTES = 92_000;

it(
  'bundles the guard with the few modules of this repository that it uses',
  { timeout: 60_000 },
  async () => {
    const outDir = mkdtempSync(join(tmpdir(), 'guard-bundle-'));
    try {
      const modules = await writeBundle({ entry: ENTRY, entryName: 'index.js', outDir, platform: 'neutral' });
      const installed = listPackageFolders(modules).map((folder) => folder.replace(/^.*node_modules./, ''));
      expect(installed).toEqual(['canonicalize']);
      expect(statSync(join(outDir, 'index.js')).size).toBeLessThan(MAX_GUARD_BYTES);
      writeDeclarations(ENTRY, outDir);
      expect(statSync(join(outDir, 'index.d.ts')).size).toBeGreaterThan(0);
    } finally {
      rmSync(outDir, { recursive: true });
    }
  },
);
