import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkFile, type Manifest } from './check-imports.ts';
import { allowedImports, purePackages } from './import-table.ts';

function own(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [`@touchstone/${name}`, '1']));
}

const rootManifest: Manifest = { devDependencies: { vitest: '1' } };
const declared: Manifest = {
  dependencies: {
    zod: '1',
    '@supabase/supabase-js': '1',
    '@electric-sql/pglite': '1',
    react: '1',
    ...own('embedded', 'ui', 'x402'),
  },
  optionalDependencies: { 'onnxruntime-node': '1' },
};

function check(path: string, source: string): readonly string[] {
  const folder = /^(apps|libs)\/[^/]+/.exec(path)?.[0];
  const owner = folder === undefined ? {} : { owner: { folder, manifest: declared } };
  return checkFile({ path, source, rootManifest, ...owner });
}

describe('checkFile', () => {
  it.each([
    ['libs/trust/src/a.ts', `import { a } from '@touchstone/x402';`],
    ['libs/trust/src/a.ts', `export * from './b.ts'; import { z } from 'zod/mini';`],
    ['libs/trust/src/a.ts', `export const day = (at: number) => new Date(at);`],
    ['libs/trust/src/a.test.ts', `import 'node:fs'; import 'vitest'; new Date();`],
    ['libs/store/src/a.ts', `import { createClient } from '@supabase/supabase-js';`],
    ['libs/store/src/a.test.ts', `import { a } from '@touchstone/embedded';`],
    ['libs/embedded/src/a.ts', `import { PGlite } from '@electric-sql/pglite';`],
    ['libs/search/src/local/a.ts', `import 'onnxruntime-node';`],
    ['libs/search/src/local/a.ts', `import { a } from '../../../../supabase/functions/embed/handler.ts';`],
    ['libs/probe/src/a.ts', `import { connect } from 'node:net'; await import('./b.ts');`],
    ['apps/service/src/a.ts', `import { a } from '@touchstone/embedded';`],
    ['apps/web/src/a.tsx', `import { a } from '@touchstone/ui'; export const b = <p>{a}</p>;`],
    ['bench/a.ts', `import { a } from '../libs/store/src/index.ts';`],
  ])('accepts in %s: %s', (path, source) => {
    expect(check(path, source)).toEqual([]);
  });

  it.each([
    ['libs/trust/src/a.ts', `import { a } from '@touchstone/store';`, 'trust must not import'],
    ['libs/contract/src/a.ts', `import type { A } from '@touchstone/trust';`, 'contract must not import'],
    ['libs/catalog/src/a.ts', `export * from '@touchstone/pipeline';`, 'catalog must not import'],
    ['libs/probe/src/a.ts', `await import('@touchstone/x402');`, 'probe must not import'],
    ['libs/trust/src/a.ts', `import '@touchstone/x402/testing';`, 'Only tests may import'],
    ['libs/probe/src/a.ts', `import { a } from '@touchstone/probe';`, 'probe must not import'],
    ['libs/store/src/a.ts', `import { a } from '@touchstone/embedded';`, 'store must not import'],
    ['apps/cli/src/a.ts', `import { a } from '@touchstone/store';`, 'cli must not import'],
    ['apps/service/src/a.ts', `import { a } from '@touchstone/sandbox';`, 'service must not import'],
    ['apps/service/src/a.ts', `import { a } from '@touchstone/ui';`, 'service must not import'],
    ['libs/x402/src/a.ts', `export { readFileSync } from 'node:fs';`, 'pure package x402 must not import'],
    ['libs/trust/src/a.ts', `import { a } from 'react';`, 'pure package trust must not import'],
    ['libs/trust/src/a.ts', `const a = import('./b.ts');`, 'imports statically'],
    ['libs/trust/src/a.ts', `const a = import.meta.url;`, 'its own location'],
    ['libs/trust/src/a.ts', `const a = new Date();`, 'has no clock'],
    ['libs/trust/src/a.ts', `const a = Date();`, 'has no clock'],
    ['libs/ui/src/a.ts', `import '@supabase/supabase-js';`, 'Only store may import'],
    ['libs/store/src/a.ts', `import '@supabase/lite/server';`, 'Only embedded may import'],
    ['apps/web/src/a.ts', `import '@electric-sql/pglite';`, 'Only embedded may import'],
    ['libs/store/src/a.ts', `import { a } from '../../probe/src/index.ts';`, 'a file of another package'],
    [
      'libs/probe/src/a.ts',
      `import { Inngest } from 'inngest';`,
      'inngest is missing in libs/probe/package.json',
    ],
    ['bench/a.ts', `// oxlint-disable-next-line no-var`, 'cannot switch off lint rules'],
    ['libs/ui/src/a.ts', `/* eslint-disable */`, 'cannot switch off lint rules'],
  ])('refuses in %s: %s', (path, source, message) => {
    expect(check(path, `\n${source}`)).toEqual([expect.stringContaining(message)]);
    expect(check(path, `\n${source}`)[0]).toMatch(new RegExp(`^${path}:2: `));
  });
});

it('lets no package import itself through other packages', () => {
  // Without import cycles, each package can be placed after the packages that it may import.
  const order: string[] = [];
  const rest = new Set(Object.keys(allowedImports));
  for (let found: string | undefined = ''; found !== undefined;) {
    found = [...rest].find((name) => allowedImports[name]?.every((next) => order.includes(next)));
    if (found !== undefined && rest.delete(found)) order.push(found);
  }
  expect([...rest]).toEqual([]);
});

it('lets no package import an app', () => {
  const apps = ['cli', 'sandbox', 'service', 'web', 'web-e2e'];
  expect(
    Object.values(allowedImports)
      .flat()
      .filter((name) => apps.includes(name)),
  ).toEqual([]);
});

it('has the same pure packages as .oxlintrc.json', () => {
  const config = readFileSync(new URL('../../.oxlintrc.json', import.meta.url), 'utf8');
  expect(config).toContain(`"libs/{${purePackages.join(',')}}/**"`);
});
