import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCipher, parseWatchKeys } from '@touchstone/watch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWatchKeys } from './watch-keys.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'touchstone-watch-keys-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

describe('openWatchKeys', () => {
  it('creates a random key that encrypts, and keeps it', async () => {
    const text = openWatchKeys({ path });
    const cipher = createCipher(parseWatchKeys(text));
    expect(await cipher.decrypt(await cipher.encrypt('secret'))).toBe('secret');
    expect(openWatchKeys({ path })).toBe(text);
    rmSync(join(path, 'watch-keys.txt'));
    expect(openWatchKeys({ path })).not.toBe(text);
  });

  it('makes the file readable by the owner only', () => {
    openWatchKeys({ path });
    expect(statSync(join(path, 'watch-keys.txt')).mode & 0o777).toBe(0o600);
  });

  it('keeps retired keys after a new first key', async () => {
    const old = openWatchKeys({ path });
    const encrypted = await createCipher(parseWatchKeys(old)).encrypt('secret');
    writeFileSync(join(path, 'watch-keys.txt'), `${Buffer.alloc(32, 7).toString('base64url')} ${old}\n`);
    const rotated = createCipher(parseWatchKeys(openWatchKeys({ path })));
    expect(await rotated.decrypt(encrypted)).toBe('secret');
    expect(readFileSync(join(path, 'watch-keys.txt'), 'utf8')).toContain(old);
  });

  it.each(['', 'hidden', `${'A'.repeat(43)} hidden`])(
    'rejects the damaged file %j without showing it',
    (text) => {
      writeFileSync(join(path, 'watch-keys.txt'), text);
      expect(() => openWatchKeys({ path })).toThrow(/watch-keys\.txt is damaged/);
      expect(() => openWatchKeys({ path })).not.toThrow(/hidden/);
    },
  );
});
