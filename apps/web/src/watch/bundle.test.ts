import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleScript } from '../scripts/bundle-script.ts';

const script = await bundleScript('watch.js');

/** Returns the parts of the script that match, because the whole script is too long for an error message. */
const find = (pattern: RegExp): string[] => [...script.matchAll(pattern)].map(([part]) => part);

describe('script of the watch page', () => {
  it('is one self-contained and reproducible script of limited size', async () => {
    expect(find(/\bimport\s*[({"'*]|\brequire\(|["'`]node:|process\.env/g)).toEqual([]);
    // React is most of the size. The limit is in bytes; the schemas of the API would exceed it.
    expect(gzipSync(script).length).toBeLessThan(105_000);
    expect((await bundleScript('watch.js')) === script).toBe(true);
  });

  it('obeys the content security policy of the site', () => {
    expect(find(/\beval\(|new Function|setAttribute\(["'`]style/g)).toEqual([]);
    // React names its page on errors. XML namespaces are names, not addresses.
    expect(find(/https?:\/\/(?!www\.w3\.org\/|react\.dev\/errors\/).{0,40}/g)).toEqual([]);
  });

  it('stores nothing in the browser', () => {
    expect(
      find(
        /localStorage|sessionStorage|indexedDB|document\.cookie|history\.(?:push|replace)State|sendBeacon/g,
      ),
    ).toEqual([]);
  });
});
