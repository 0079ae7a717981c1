import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleModules, SHARED_FILE } from './bundle-script.ts';

const files = await bundleModules();
const all = files.map(({ code }) => code).join('\n');

/** Returns the parts of the scripts that match, because whole scripts are too long for an error message. */
const find = (pattern: RegExp): string[] => [...all.matchAll(pattern)].map(([part]) => part);

/** Returns the compressed size of a file and of all files that the browser loads together with it, in bytes. */
function measure(name: string): number {
  const names = new Set([name]);
  for (const each of names) {
    for (const imported of files.find((file) => file.name === each)?.imports ?? []) names.add(imported);
  }
  return files
    .filter((file) => names.has(file.name))
    .reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}

describe('scripts of the explore page and of the search field', () => {
  it('have limited sizes', () => {
    // React and TanStack Query are most of the explore page. The schemas of the API would exceed the limit.
    expect(measure('explore.js')).toBeLessThan(100_000);
    // The suggestions are loaded when a visitor uses the field.
    expect(measure('search.js')).toBeLessThan(1_000);
    expect(files.reduce((sum, { code }) => sum + gzipSync(code).length, 0)).toBeLessThan(150_000);
  });

  it('have names that contain a hash, except for the files that pages name', async () => {
    const entries = files.map(({ name }) => name).filter((name) => !SHARED_FILE.test(name));
    expect(entries.sort()).toEqual(['explore.js', 'search.js']);
    expect(await bundleModules()).toEqual(files);
  });

  it('import only each other', () => {
    expect(find(/\brequire\(|["'`]node:|process\.env/g)).toEqual([]);
    const imported = find(/(?:\bfrom|\bimport\(?)\s*["'`][^"'`]*["'`]/g).map((part) =>
      part.replace(/^.*["'`](?=.)(.*)["'`]$/, '$1'),
    );
    for (const name of imported) expect(files.map((file) => `./${file.name}`)).toContain(name);
  });

  it('obey the content security policy of the site', () => {
    expect(find(/\beval\(|new Function|setAttribute\(["'`]style/g)).toEqual([]);
    // React names its page on errors. XML namespaces are names, not addresses.
    expect(find(/https?:\/\/(?!www\.w3\.org\/|react\.dev\/errors\/).{0,40}/g)).toEqual([]);
  });

  it('store nothing in the browser', () => {
    expect(find(/localStorage|sessionStorage|indexedDB|document\.cookie|sendBeacon/g)).toEqual([]);
  });
});
