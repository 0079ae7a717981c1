import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleScript } from '../scripts/bundle-script.ts';

describe('playground script', () => {
  it('is one small, self-contained and reproducible script', async () => {
    const script = await bundleScript('playground.js');
    expect(script).not.toMatch(/\bimport\s*[({"'*]|\brequire\(|node:/);
    // The compressed script must stay small, because most visitors only read the page. The limit is in bytes.
    expect(gzipSync(script).length).toBeLessThan(25_000);
    expect(await bundleScript('playground.js')).toBe(script);
  });

  it('obeys the content security policy of the site', async () => {
    const script = await bundleScript('playground.js');
    expect(script).not.toMatch(/\beval\(|new Function|innerHTML|\.style\b|setAttribute\(["']style/);
    expect(script).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)/);
  });
});
