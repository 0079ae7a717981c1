import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSellerWallet } from './seller-wallet.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'touchstone-wallet-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

describe('openSellerWallet', () => {
  it('creates a wallet with a key readable by the owner only, and keeps it', () => {
    const address = openSellerWallet({ path });
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(statSync(join(path, 'seller.key')).mode & 0o077).toBe(0);
    expect(openSellerWallet({ path })).toBe(address);
    expect(readFileSync(join(path, 'seller.key'), 'utf8')).not.toContain(address.slice(2).toLowerCase());
  });

  it('uses an existing key', () => {
    writeFileSync(join(path, 'seller.key'), `0x${'0'.repeat(63)}1`);
    // Well-known address that belongs to the private key 1.
    expect(openSellerWallet({ path })).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf');
  });

  it('rejects a damaged key without showing it', () => {
    writeFileSync(join(path, 'seller.key'), '0xhidden');
    expect(() => openSellerWallet({ path })).toThrow(/seller\.key is damaged/);
    expect(() => openSellerWallet({ path })).not.toThrow(/hidden/);
  });
});
