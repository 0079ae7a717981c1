import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchWorkspace, type ScratchWorkspace } from './scratch-workspace.ts';

const boundaries = '@nx/enforce-module-boundaries';
const onlyTags = `${boundaries}/onlyTagsConstraintViolation`;
const bannedPackage = `${boundaries}/bannedExternalImportsViolation`;
const uses = (name: string): string => `import { name } from '${name}';\nexport const used = name;\n`;

const legal: Readonly<Record<string, string>> = {
  'libs/trust/src/reads-x402.ts': uses('@touchstone/x402'),
  'libs/trust/src/reads-contract.ts': uses('@touchstone/contract'),
  'libs/catalog/src/reads-x402.ts': uses('@touchstone/x402'),
  'libs/store/src/reads-x402.ts': uses('@touchstone/x402'),
  'libs/store/src/store.test.ts': uses('@touchstone/embedded'),
  'libs/x402/src/files.test.ts': `export { readFileSync } from 'node:fs';\n`,
  'libs/pipeline/src/reads-store.ts': uses('@touchstone/store'),
  'apps/web/src/renders-ui.ts': uses('@touchstone/ui'),
  'apps/cli/src/probes-and-lints.ts': `export { name as probe } from '@touchstone/probe';\nexport { name as x402 } from '@touchstone/x402';\n`,
  'apps/service/src/starts-embedded.ts': uses('@touchstone/embedded'),
  'libs/store/src/uses-supabase.ts': `export { createClient } from '@supabase/supabase-js';\n`,
  'libs/embedded/src/carries-postgres.ts': `export { PGlite } from '@electric-sql/pglite';\n`,
  'libs/probe/src/opens-sockets.ts': `export { connect } from 'node:net';\n`,
  'libs/x402/src/dates.ts': `export const day = (at: number): string => new Date(at).toISOString();\n`,
};

interface Violation {
  readonly what: string;
  readonly path: string;
  readonly source: string;
  readonly ruleId: string;
}

const violations: readonly Violation[] = [
  {
    what: 'a pure library that reads files',
    path: 'libs/x402/src/reads-files.ts',
    source: `export { readFileSync } from 'node:fs';\n`,
    ruleId: 'no-restricted-imports/patternWithCustomMessage',
  },
  {
    what: 'a pure library that imports a framework',
    path: 'libs/trust/src/renders.ts',
    source: `export { createElement } from 'react';\n`,
    ruleId: 'no-restricted-imports/patternWithCustomMessage',
  },
  {
    what: 'a pure library that imports dynamically',
    path: 'libs/trust/src/hides-an-import.ts',
    source: `export const load = (): Promise<unknown> => import('node:fs');\n`,
    ruleId: 'no-restricted-syntax/restrictedSyntax',
  },
  {
    what: 'a pure library that imports the store',
    path: 'libs/trust/src/reads-store.ts',
    source: uses('@touchstone/store'),
    ruleId: onlyTags,
  },
  {
    what: 'a pure library that reads the clock',
    path: 'libs/trust/src/reads-clock.ts',
    source: `export const now = (): number => Date.now();\n`,
    ruleId: 'no-restricted-properties/restrictedObjectProperty',
  },
  {
    what: 'a pure library that creates the current date',
    path: 'libs/trust/src/creates-date.ts',
    source: `export const today = (): Date => new Date();\n`,
    ruleId: 'no-restricted-syntax/restrictedSyntax',
  },
  {
    what: 'a pure library that uses random numbers',
    path: 'libs/x402/src/random.ts',
    source: `export const random = (): number => Math.random();\n`,
    ruleId: 'no-restricted-properties/restrictedObjectProperty',
  },
  {
    what: 'a pure library that waits',
    path: 'libs/x402/src/waits.ts',
    source: `export const wait = (done: () => void): unknown => setTimeout(done, 1);\n`,
    ruleId: 'no-restricted-globals/customMessage',
  },
  {
    what: 'a pure library that fetches',
    path: 'libs/x402/src/fetches.ts',
    source: `export const get = (url: string): Promise<unknown> => fetch(url);\n`,
    ruleId: 'no-restricted-globals/customMessage',
  },
  {
    what: 'the catalog importing the pipeline',
    path: 'libs/catalog/src/reads-pipeline.ts',
    source: uses('@touchstone/pipeline'),
    ruleId: onlyTags,
  },
  {
    what: 'the catalog importing the store',
    path: 'libs/catalog/src/reads-store.ts',
    source: uses('@touchstone/store'),
    ruleId: onlyTags,
  },
  {
    what: 'the contract importing the formula',
    path: 'libs/contract/src/reads-trust.ts',
    source: uses('@touchstone/trust'),
    ruleId: onlyTags,
  },
  {
    what: 'the probe importing the protocol',
    path: 'libs/probe/src/reads-x402.ts',
    source: uses('@touchstone/x402'),
    ruleId: onlyTags,
  },
  {
    what: 'the store importing the embedded database outside its tests',
    path: 'libs/store/src/embeds.ts',
    source: uses('@touchstone/embedded'),
    ruleId: onlyTags,
  },
  {
    what: 'the command line importing the store',
    path: 'apps/cli/src/reads-store.ts',
    source: uses('@touchstone/store'),
    ruleId: onlyTags,
  },
  {
    what: 'an app importing an app',
    path: 'apps/service/src/imports-sandbox.ts',
    source: uses('@touchstone/sandbox'),
    ruleId: onlyTags,
  },
  {
    what: 'the service importing components',
    path: 'apps/service/src/imports-ui.ts',
    source: uses('@touchstone/ui'),
    ruleId: onlyTags,
  },
  {
    what: 'components that query the database',
    path: 'libs/ui/src/queries.ts',
    source: `export { createClient } from '@supabase/supabase-js';\n`,
    ruleId: bannedPackage,
  },
  {
    what: 'the web app importing the embedded database',
    path: 'apps/web/src/queries.ts',
    source: `export { PGlite } from '@electric-sql/pglite';\n`,
    ruleId: bannedPackage,
  },
  {
    what: 'the store importing the embedded API server',
    path: 'libs/store/src/serves.ts',
    source: `export * from '@supabase/lite';\n`,
    ruleId: bannedPackage,
  },
  {
    what: 'a relative path into another package',
    path: 'libs/store/src/relative-path.ts',
    source: `export { name } from '../../probe/src/index.ts';\n`,
    ruleId: `${boundaries}/noRelativeOrAbsoluteImportsAcrossLibraries`,
  },
  {
    what: 'a package that is missing in package.json',
    path: 'libs/probe/src/undeclared.ts',
    source: `export { Inngest } from 'inngest';\n`,
    ruleId: `${boundaries}/noTransitiveDependencies`,
  },
];

describe('module boundaries', () => {
  let workspace: ScratchWorkspace;
  let clean: ReadonlyMap<string, readonly string[]>;
  let violated: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    workspace = await createScratchWorkspace();
    for (const [path, source] of Object.entries(legal)) await workspace.write(path, source);
    clean = await workspace.lint();
    for (const { path, source } of violations) await workspace.write(path, source);
    violated = await workspace.lint();
  });

  afterAll(() => workspace.remove());

  it.each(Object.keys(legal))('accepts %s', (path) => {
    expect(clean.get(path)).toEqual([]);
  });

  it('accepts the whole workspace without violations', () => {
    expect([...clean].filter(([, ruleIds]) => ruleIds.length > 0)).toEqual([]);
  });

  it.each(violations)('rejects $what', ({ path, ruleId }) => {
    expect(violated.get(path)).toContain(ruleId);
  });

  it('accepts allowed imports in a workspace with violations', () => {
    for (const path of Object.keys(legal)) expect(violated.get(path)).toEqual([]);
  });
});
