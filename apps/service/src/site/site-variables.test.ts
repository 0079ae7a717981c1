import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSellerWallet, SANDBOX_BUDGET } from '../data-folder/keys.ts';
import { readConfig } from '../config/config.ts';
import {
  createLiveVariables,
  createSandboxPaymentVariables,
  formatBackupCommand,
  formatPaymentStatus,
} from './site-variables.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';

const folder = useTemporaryFolder();

const chains = {
  rpcUrls: {
    'eip155:8453': 'http://127.0.0.1:1',
    'eip155:137': 'http://127.0.0.1:3',
    'eip155:84532': 'http://127.0.0.1:4',
  },
  facilitatorUrl: 'http://127.0.0.1:2',
  ledgerFile: 'ledger',
};

describe('createSandboxPaymentVariables', () => {
  it.each([['eip155:8453'], ['eip155:84532']] as const)(
    'pays the wallet of the data folder on the chain of %s',
    (network) => {
      expect(createSandboxPaymentVariables(folder, { chains, network })).toEqual({
        X402_NETWORK: network,
        X402_PAY_TO: openSellerWallet(folder),
        X402_FACILITATOR_URL: 'http://127.0.0.1:2',
        CDP_API_KEY_ID: '',
        CDP_API_KEY_SECRET: '',
        RPC_URLS:
          'eip155:8453=http://127.0.0.1:1 eip155:137=http://127.0.0.1:3 eip155:84532=http://127.0.0.1:4',
        DELIVERY_KEY: '',
        DELIVERY_BUDGET: SANDBOX_BUDGET,
        SANDBOX_FILE: join(folder.path, 'sandbox.json'),
      });
    },
  );

  it('disables sales without a chain', () => {
    const variables = createSandboxPaymentVariables(folder, { chains: null, network: 'eip155:8453' });
    expect(variables).toMatchObject({ X402_PAY_TO: '', X402_FACILITATOR_URL: '', RPC_URLS: '' });
    expect(formatPaymentStatus(variables)).toMatch(/^paid routes are disabled/);
  });
});

describe('formatPaymentStatus', () => {
  it('formats network, wallet and facilitator, without keys', () => {
    const RPC_URLS = 'base=https://rpc.example/hidden polygon=https://rpc.example/hidden';
    const set = {
      RPC_URLS,
      X402_PAY_TO: '0xabc',
      X402_FACILITATOR_URL: 'https://user:hidden@f.example/x?key=hidden',
    };
    expect(formatPaymentStatus(set)).toBe(
      'paid routes accept USDC on eip155:8453 to 0xabc, settled by f.example',
    );
    const cdp = { RPC_URLS, X402_PAY_TO: '0xabc', X402_NETWORK: 'eip155:137', CDP_API_KEY_SECRET: 'hidden' };
    expect(formatPaymentStatus(cdp)).toBe('paid routes accept USDC on eip155:137 to 0xabc, settled by CDP');
  });

  it('names the variable to set when sales are disabled', () => {
    expect(formatPaymentStatus({})).toBe(
      'paid routes are disabled: set X402_PAY_TO to the wallet that receives payments',
    );
    const off =
      'paid routes are disabled: set RPC_URLS to a provider of eip155:8453, which confirms settlements';
    for (const RPC_URLS of ['', 'polygon=https://rpc.example/hidden', 'base=ftp://hidden']) {
      expect(formatPaymentStatus({ X402_PAY_TO: '0xabc', RPC_URLS })).toBe(off);
    }
  });
});

const createVariables = (env: Record<string, string>) => {
  const { live } = readConfig(env, 'live');
  return live === null ? null : createLiveVariables(live);
};

describe('createLiveVariables', () => {
  it('passes the probe settings of the service to the site', () => {
    const env = {
      SITE_URL: 'https://who.example',
      CANARY_URLS: 'https://c.example/',
      NAME_SERVERS: '::1 127.0.0.1:53',
    };
    expect(createVariables(env)).toEqual({
      PROBE_USER_AGENT: 'Touchstone/0.1 (+https://who.example)',
      CANARY_URLS: 'https://c.example/',
      NAME_SERVERS: '::1 127.0.0.1:53',
      ALLOW_PRIVATE: '',
      DELIVERY_KEY: '',
      SANDBOX_FILE: '',
    });
  });

  it('allows private addresses only with ALLOW_PRIVATE', () => {
    expect(createVariables({})).toMatchObject({ ALLOW_PRIVATE: '', NAME_SERVERS: '' });
    expect(createVariables({ ALLOW_PRIVATE: 'for-tests' })).toMatchObject({ ALLOW_PRIVATE: 'for-tests' });
  });
});

it('formats the command that backs up this data folder', () => {
  expect(formatBackupCommand({ path: '/srv/.touchstone-live' })).toBe(
    'DATA_DIR="/srv/.touchstone-live" npx --no-install touchstone backup FILE',
  );
});
