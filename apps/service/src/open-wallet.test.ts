import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWallet } from './open-wallet.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'touchstone-wallet-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

describe('openWallet', () => {
  it('makes a wallet at first, whose key nobody else reads, and keeps it', () => {
    const address = openWallet({ path });
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(statSync(join(path, 'seller.key')).mode & 0o077).toBe(0);
    expect(openWallet({ path })).toBe(address);
    expect(readFileSync(join(path, 'seller.key'), 'utf8')).not.toContain(address.slice(2).toLowerCase());
  });

  it('is the wallet of the key that is there', () => {
    writeFileSync(join(path, 'seller.key'), `0x${'0'.repeat(63)}1`);
    // The address of the private key 1, as everybody knows it.
    expect(openWallet({ path })).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf');
  });

  it('does not go on with a damaged key, and does not repeat it', () => {
    writeFileSync(join(path, 'seller.key'), '0xhidden');
    expect(() => openWallet({ path })).toThrow(/seller\.key is damaged/);
    expect(() => openWallet({ path })).not.toThrow(/hidden/);
  });
});
