import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { listPackageFolders, writeBundle } from './bundle.ts';
import { writeDeclarations } from './package-files.ts';

const FOLDER = fileURLToPath(new URL('../../libs/guard/src', import.meta.url));

it.each([
  // Maximum sizes after compression (gzip), in bytes. Wallets load these bundles in browsers.
  { entry: 'index.ts', maxBytes: 45_000, packages: ['canonicalize'] },
  {
    entry: 'offers/verify-offer.ts',
    maxBytes: 45_000,
    packages: ['@noble/curves', '@noble/hashes', '@scure/base'],
  },
])(
  'bundles $entry of the guard with the few modules that it uses',
  { timeout: 60_000 },
  async ({ entry: file, maxBytes, packages }) => {
    const outDir = mkdtempSync(join(tmpdir(), 'guard-bundle-'));
    const entry = join(FOLDER, file);
    try {
      const modules = await writeBundle({ entry, entryName: 'index.js', outDir, platform: 'neutral' });
      const installed = listPackageFolders(modules).map((folder) => folder.replace(/^.*node_modules./, ''));
      expect(installed.toSorted()).toEqual(packages);
      expect(gzipSync(readFileSync(join(outDir, 'index.js'))).length).toBeLessThan(maxBytes);
      writeDeclarations(entry, { folder: FOLDER, outDir, platform: 'neutral' });
      expect(statSync(join(outDir, file.replace(/\.ts$/, '.d.ts'))).size).toBeGreaterThan(0);
    } finally {
      rmSync(outDir, { recursive: true });
    }
  },
);
