import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listProductionPaths, readLockEntries, writeSbom } from './sbom.ts';

const ours = readLockEntries(fileURLToPath(new URL('../..', import.meta.url)));

const entries = {
  '': { optionalDependencies: { node: '24.0.0' } },
  'apps/web': { version: '0.1.0', dependencies: { '@app/store': '0.1.0', next: '16.0.0' } },
  'libs/store': { version: '0.1.0', dependencies: { ms: '1.0.0' } },
  'libs/store/node_modules/ms': { version: '1.0.0' },
  'node_modules/@app/store': { link: true },
  'node_modules/@next/swc-darwin-x64': { version: '16.0.0', optional: true },
  'node_modules/debug': { version: '4.0.0', dev: true, dependencies: { ms: '2.0.0' } },
  'node_modules/ms': { version: '2.0.0', dev: true },
  'node_modules/next': {
    version: '16.0.0',
    license: 'MIT',
    dependencies: { react: '19.0.0' },
    optionalDependencies: { '@next/swc-darwin-x64': '16.0.0', semver: '7.0.0', unlocked: '1.0.0' },
    peerDependencies: { 'react-dom': '19.0.0', react: '19.0.0', vite: '8.0.0' },
    peerDependenciesMeta: { react: { optional: true }, vite: { optional: true } },
  },
  'node_modules/next/node_modules/semver': { version: '7.0.0', devOptional: true },
  'node_modules/node': { version: '24.0.0', optional: true },
  'node_modules/react': { version: '19.0.0' },
  'node_modules/react-dom': { version: '19.0.0', peer: true },
  'node_modules/semver': { version: '6.0.0', dev: true },
  'node_modules/vite': { version: '8.0.0', devOptional: true, peer: true },
};

/** Finds the lockfile path of a dependency as Node does: in the folder of the package, then in each folder above. */
function findDependency(path: string, name: string): string | undefined {
  const folders = [path];
  for (
    let end = path.lastIndexOf('/node_modules/');
    end > 0;
    end = path.lastIndexOf('/node_modules/', end - 1)
  )
    folders.push(path.slice(0, end));
  const candidates = [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
  return candidates.find((candidate) => ours[candidate] !== undefined);
}

describe('the production packages', () => {
  it('include each locked dependency of a workspace and of a listed package', () => {
    const listed = new Set(listProductionPaths(ours));
    const workspaces = Object.keys(ours).filter((path) => !path.includes('node_modules/'));
    const missing = [...workspaces, ...listed].flatMap((path) => {
      const { dependencies, optionalDependencies } = ours[path] ?? {};
      return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
        const found = findDependency(path, name);
        const isListed = found === undefined || ours[found]?.link === true || listed.has(found);
        return isListed ? [] : [`${found}, which ${path} needs`];
      });
    });
    expect(listed.size).toBeGreaterThan(500);
    expect(missing).toEqual([]);
  });

  it('include no package that only development needs', () => {
    const names = ['vite', 'rolldown', '@rolldown/binding-linux-x64-gnu', 'playwright', 'eslint', 'vitest'];
    const paths = names.map((name) => `node_modules/${name}`);
    expect(paths.filter((path) => ours[path] === undefined)).toEqual([]);
    const listed = new Set(listProductionPaths(ours));
    expect(paths.filter((path) => listed.has(path))).toEqual([]);
    expect([...listed].filter((path) => 'dev' in (ours[path] ?? {}))).toEqual([]);
  });

  it('include required peer dependencies, but optional ones only if another package requires them', () => {
    expect(listProductionPaths(entries).toSorted()).toEqual([
      'libs/store/node_modules/ms',
      'node_modules/@next/swc-darwin-x64',
      'node_modules/next',
      'node_modules/next/node_modules/semver',
      'node_modules/node',
      'node_modules/react',
      'node_modules/react-dom',
    ]);
  });
});

describe('a bill of materials', () => {
  it('describes an application, with each package and its license', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-sbom-test-'));
    try {
      const file = join(folder, 'service.cdx.json');
      const paths = ['node_modules/next', 'node_modules/next/node_modules/semver'];
      await writeSbom(file, { name: 'service', version: '0.1.0', type: 'application', paths }, entries);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        metadata: { component: { type: 'application', name: 'service', version: '0.1.0' } },
        components: [
          { type: 'library', name: 'next', version: '16.0.0', licenses: [{ license: { id: 'MIT' } }] },
          { type: 'library', name: 'semver', version: '7.0.0' },
        ],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
