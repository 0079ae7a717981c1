import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleModules, bundleScript, SHARED_FILE } from './bundle-script.ts';

const modules = await bundleModules();
const scripts = {
  'explore.js and site.js': modules.map(({ code }) => code).join('\n'),
  'watch.js': await bundleScript('watch.js'),
  'claim.js': await bundleScript('claim.js'),
  'charts.js': await bundleScript('charts.js'),
  'copy.js': await bundleScript('copy.js'),
  'docs.js': await bundleScript('docs.js'),
  'playground.js': await bundleScript('playground.js'),
};

/** Returns the matches of a pattern in a script. Whole scripts are too long for an error message. */
const find = (script: string, pattern: RegExp): string[] =>
  [...script.matchAll(pattern)].map(([part]) => part);
const compress = (code: string): number => gzipSync(code).length;

/** Returns the compressed size of a module and of all modules that the browser loads together with it, in bytes. */
function measure(name: string): number {
  const names = new Set([name]);
  for (const each of names) {
    for (const imported of modules.find((file) => file.name === each)?.imports ?? []) names.add(imported);
  }
  return modules.filter((file) => names.has(file.name)).reduce((sum, { code }) => sum + compress(code), 0);
}

it('scripts have limited sizes, because most visitors only read the page', () => {
  // React and TanStack Query are the largest parts of the explore script. If the API schemas were included, the script
  // would exceed this limit.
  expect(measure('explore.js')).toBeLessThan(105_000);
  // The suggestions are loaded when a visitor uses the field.
  expect(measure('site.js')).toBeLessThan(1_000);
  expect(modules.reduce((sum, { code }) => sum + compress(code), 0)).toBeLessThan(150_000);
  expect(compress(scripts['watch.js'])).toBeLessThan(105_000);
  expect(compress(scripts['claim.js'])).toBeLessThan(80_000);
  expect(compress(scripts['playground.js'])).toBeLessThan(26_000);
  expect(compress(scripts['charts.js'])).toBeLessThan(900);
  expect(compress(scripts['copy.js'])).toBeLessThan(600);
  expect(compress(scripts['docs.js'])).toBeLessThan(1_200);
});

it('scripts are reproducible, and have a hash in their names except for the files that pages name', async () => {
  const entries = modules.map(({ name }) => name).filter((name) => !SHARED_FILE.test(name));
  expect(entries.sort()).toEqual(['explore.js', 'site.js']);
  expect(await bundleModules()).toEqual(modules);
  expect((await bundleScript('watch.js')) === scripts['watch.js']).toBe(true);
});

describe.each(Object.entries(scripts))('%s', (name, script) => {
  it('imports only modules of the same bundle', () => {
    expect(find(script, /\brequire\(|["'`]node:|process\.env/g)).toEqual([]);
    const imported = find(script, /(?:\bfrom|\bimport\(?)\s*["'`][^"'`]*["'`]/g).map((part) =>
      part.replace(/^.*["'`](?=.)(.*)["'`]$/, '$1'),
    );
    const known = name.startsWith('explore') ? modules.map((file) => `./${file.name}`) : [];
    for (const each of imported) expect(known).toContain(each);
  });

  it('obeys the content security policy of the site, and stores nothing about the visitor in the browser', () => {
    expect(find(script, /\beval\(|new Function|setAttribute\(["'`]style/g)).toEqual([]);
    // React contains links to its own error page. XML namespaces are names, not addresses.
    expect(find(script, /https?:\/\/(?!www\.w3\.org\/|react\.dev\/errors\/).{0,40}/g)).toEqual([]);
    // The script docs.js stores the language of the examples.
    const storage = /localStorage|sessionStorage|indexedDB|document\.cookie|sendBeacon/g;
    if (name !== 'docs.js') expect(find(script, storage)).toEqual([]);
    if (/^(?:watch|claim)/.test(name)) expect(find(script, /history\.(?:push|replace)State/g)).toEqual([]);
    if (name === 'playground.js') expect(find(script, /innerHTML|\.style\b/g)).toEqual([]);
  });
});
