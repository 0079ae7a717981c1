import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSigningKeys } from '@touchstone/trust';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSigningKeys } from './signing-keys.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'touchstone-keys-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

const read = (text: string) =>
  readSigningKeys(text, { baseUrl: 'http://localhost:3000', subtle: globalThis.crypto.subtle });

describe('openSigningKeys', () => {
  it('creates a key that the site can sign with, and keeps it', async () => {
    const text = openSigningKeys({ path });
    const { published, signing } = await read(text);
    expect(published.keys).toHaveLength(1);
    expect(published.keys[0]?.kid).toBe(signing.keyId);
    expect(JSON.stringify(published)).not.toContain('"d"');
    expect(openSigningKeys({ path })).toBe(text);
  });

  it('makes the file readable by the owner only', () => {
    openSigningKeys({ path });
    expect(statSync(join(path, 'signing-keys.json')).mode & 0o077).toBe(0);
  });

  it('uses a new first key and publishes the retired one', async () => {
    const {
      keys: [old],
    } = JSON.parse(openSigningKeys({ path })) as { keys: [{ x: string }] };
    rmSync(join(path, 'signing-keys.json'));
    const {
      keys: [fresh],
    } = JSON.parse(openSigningKeys({ path })) as { keys: [object] };
    const file = join(path, 'signing-keys.json');
    const retired = { kty: 'OKP', crv: 'Ed25519', x: old.x, retiredAt: new Date().toISOString() };
    writeFileSync(file, JSON.stringify({ keys: [fresh, retired] }));
    const { published } = await read(openSigningKeys({ path }));
    expect(published.keys.map(({ x }) => x)[1]).toBe(old.x);
    expect(readFileSync(file, 'utf8')).toContain(old.x);
  });
});
