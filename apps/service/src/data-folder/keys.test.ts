import { mkdirSync, readFileSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSigningKeys } from '@touchstone/trust';
import { createCipher, parseWatchKeys } from '@touchstone/watch';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';
import { openSandboxPurchases, openSellerWallet, openSigningKeys, openWatchKeys } from './keys.ts';

const folder = useTemporaryFolder();

describe('openSellerWallet', () => {
  it('creates a wallet with a key readable by the owner only, and keeps it', () => {
    const address = openSellerWallet(folder);
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(statSync(join(folder.path, 'seller.key')).mode & 0o077).toBe(0);
    expect(openSellerWallet(folder)).toBe(address);
    expect(readFileSync(join(folder.path, 'seller.key'), 'utf8')).not.toContain(
      address.slice(2).toLowerCase(),
    );
  });

  it('uses an existing key', () => {
    writeFileSync(join(folder.path, 'seller.key'), `0x${'0'.repeat(63)}1`);
    // Well-known address that belongs to the private key 1.
    expect(openSellerWallet(folder)).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf');
  });

  it('rejects a damaged key without showing it', () => {
    writeFileSync(join(folder.path, 'seller.key'), '0xhidden');
    expect(() => openSellerWallet(folder)).toThrow(/seller\.key is damaged/);
    expect(() => openSellerWallet(folder)).not.toThrow(/hidden/);
  });
});

describe('openSandboxPurchases', () => {
  it('opens the wallet of the sandbox, if the sandbox has one', () => {
    expect(openSandboxPurchases(folder)).toBeUndefined();
    mkdirSync(join(folder.path, 'sandbox'));
    const file = join(folder.path, 'sandbox', 'delivery-wallet.key');
    writeFileSync(file, `0x${'0'.repeat(63)}1\n`);
    expect(openSandboxPurchases(folder)).toMatchObject({
      account: { address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf' },
      budget: { purchase: '1', endpoint: '10', day: '1000', total: '1000000' },
    });
    writeFileSync(file, '0xhidden');
    expect(() => openSandboxPurchases(folder)).toThrow(/delivery-wallet\.key is damaged/);
    expect(() => openSandboxPurchases(folder)).not.toThrow(/hidden/);
  });
});

const read = (text: string) =>
  readSigningKeys(text, { baseUrl: 'http://localhost:3000', subtle: globalThis.crypto.subtle });

describe('openSigningKeys', () => {
  it('creates a key that the site can sign with, and keeps it', async () => {
    const text = openSigningKeys(folder);
    const { published, signing } = await read(text);
    expect(published.keys).toHaveLength(1);
    expect(published.keys[0]?.kid).toBe(signing.keyId);
    expect(JSON.stringify(published)).not.toContain('"d"');
    expect(openSigningKeys(folder)).toBe(text);
    expect(statSync(join(folder.path, 'signing-keys.json')).mode & 0o777).toBe(0o600);
  });
});

describe('openWatchKeys', () => {
  it('creates a random key that encrypts, and keeps it', async () => {
    const text = openWatchKeys(folder);
    const cipher = createCipher(parseWatchKeys(text));
    expect(await cipher.decrypt(await cipher.encrypt('secret'))).toBe('secret');
    expect(openWatchKeys(folder)).toBe(text);
    expect(statSync(join(folder.path, 'watch-keys.txt')).mode & 0o777).toBe(0o600);
    rmSync(join(folder.path, 'watch-keys.txt'));
    expect(openWatchKeys(folder)).not.toBe(text);
  });

  it.each(['', 'hidden', `${'A'.repeat(43)} hidden`])(
    'rejects the damaged file %j without showing it',
    (text) => {
      writeFileSync(join(folder.path, 'watch-keys.txt'), text);
      expect(() => openWatchKeys(folder)).toThrow(/watch-keys\.txt is damaged/);
      expect(() => openWatchKeys(folder)).not.toThrow(/hidden/);
    },
  );
});
