import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWallet } from './open-wallet.ts';
import { paymentLine, sandboxPayments } from './payment-variables.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'touchstone-payments-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

const chain = { rpcUrl: 'http://127.0.0.1:1', facilitatorUrl: 'http://127.0.0.1:2', ledgerFile: 'ledger' };

describe('sandboxPayments', () => {
  it('has the site paid on the chain of the sandbox, to the wallet of the folder', () => {
    expect(sandboxPayments({ path }, { chain })).toEqual({
      X402_NETWORK: 'eip155:8453',
      X402_PAY_TO: openWallet({ path }),
      X402_FACILITATOR_URL: 'http://127.0.0.1:2',
      CDP_API_KEY_ID: '',
      CDP_API_KEY_SECRET: '',
      RPC_URLS: 'eip155:8453=http://127.0.0.1:1',
      SANDBOX_FILE: join(path, 'sandbox.json'),
    });
  });

  it('sells nothing where there is no chain', () => {
    const variables = sandboxPayments({ path }, { chain: null });
    expect(variables).toMatchObject({ X402_PAY_TO: '', X402_FACILITATOR_URL: '', RPC_URLS: '' });
    expect(paymentLine(variables)).toMatch(/^paid routes are off/);
  });
});

describe('paymentLine', () => {
  it('says who is paid where and by whom it is settled, and no key', () => {
    const RPC_URLS = 'base=https://rpc.example/hidden polygon=https://rpc.example/hidden';
    const set = {
      RPC_URLS,
      X402_PAY_TO: '0xabc',
      X402_FACILITATOR_URL: 'https://user:hidden@f.example/x?key=hidden',
    };
    expect(paymentLine(set)).toBe('reports are sold for USDC on eip155:8453 to 0xabc, settled by f.example');
    const cdp = { RPC_URLS, X402_PAY_TO: '0xabc', X402_NETWORK: 'eip155:137', CDP_API_KEY_SECRET: 'hidden' };
    expect(paymentLine(cdp)).toBe('reports are sold for USDC on eip155:137 to 0xabc, settled by CDP');
  });

  it('says that nothing is sold and what to set', () => {
    expect(paymentLine({})).toBe('paid routes are off: set X402_PAY_TO to the wallet that is to be paid');
    const off = 'paid routes are off: set RPC_URLS to a provider of eip155:8453, which says what was paid';
    for (const RPC_URLS of ['', 'polygon=https://rpc.example/hidden', 'base=ftp://hidden']) {
      expect(paymentLine({ X402_PAY_TO: '0xabc', RPC_URLS })).toBe(off);
    }
  });
});
