import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundlePlayground } from './bundle.ts';

describe('the script of the playground', () => {
  it('is one small script that runs on its own and is the same each time', async () => {
    const script = await bundlePlayground();
    expect(script).not.toMatch(/\bimport\s*[({"'*]|\brequire\(|node:/);
    // What a page may cost that most visitors only read.
    expect(gzipSync(script).length).toBeLessThan(25_000);
    expect(await bundlePlayground()).toBe(script);
  });

  it('asks for nothing the policy of the site forbids', async () => {
    const script = await bundlePlayground();
    expect(script).not.toMatch(/\beval\(|new Function|innerHTML|\.style\b|setAttribute\(["']style/);
    expect(script).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)/);
  });
});
