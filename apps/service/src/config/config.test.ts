import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('readConfig', () => {
  it('has a default for every variable', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      baseUrl: 'http://localhost:3000',
      vantage: 'EU',
      siteHeapMib: 384,
      isSiteBuilt: false,
      supabase: null,
      embedder: 'local',
      sandbox: { seed: 'touchstone', days: 14, listings: null, network: 'eip155:8453' },
    });
  });

  it('listens on loopback in the sandbox, on all addresses in live mode, or on LISTEN_ADDRESS', () => {
    expect(readConfig({}).listenAddress).toBe('127.0.0.1');
    expect(readConfig({}, 'live').listenAddress).toBeNull();
    for (const address of ['0.0.0.0', '::', '192.0.2.7'])
      expect(readConfig({ LISTEN_ADDRESS: address }).listenAddress).toBe(address);
    expect(() => readConfig({ LISTEN_ADDRESS: 'example.com' })).toThrow(
      'LISTEN_ADDRESS must be an IP address; received example.com',
    );
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', SUPABASE_URL: '', SANDBOX_LISTINGS: '' })).toEqual(readConfig({}));
  });

  it('uses a Supabase project when its URL and both keys are set', () => {
    const supabase = {
      SUPABASE_URL: 'https://x.supabase.co',
      SUPABASE_SECRET_KEY: 's',
      SUPABASE_PUBLISHABLE_KEY: 'p',
    };
    expect(readConfig(supabase).supabase).toEqual({
      url: 'https://x.supabase.co',
      secret: 's',
      publishable: 'p',
    });
  });

  it('sells on Base Sepolia in the sandbox when SANDBOX_NETWORK names it', () => {
    expect(readConfig({ SANDBOX_NETWORK: 'eip155:84532' }).sandbox.network).toBe('eip155:84532');
  });

  it('requires BASE_URL with X402_PAY_TO in live mode', () => {
    const set = { X402_PAY_TO: '0xabc' };
    expect(() => readConfig(set, 'live')).toThrow(/^BASE_URL is not set/);
    expect(readConfig({ ...set, BASE_URL: 'https://a.example' }, 'live').baseUrl).toBe('https://a.example');
    expect(readConfig(set).baseUrl).toBe('http://localhost:3000');
  });

  it('reads RPC URLs by network, and shows none in an error', () => {
    expect(
      readConfig({ RPC_URLS: 'base=https://a.example/k1,https://b.example/k2' }, 'live').live?.rpcUrls,
    ).toEqual(new Map([['eip155:8453', ['https://a.example/k1', 'https://b.example/k2']]]));
    expect(() => readConfig({ RPC_URLS: 'base=ftp://a.example/KEY' }, 'live')).toThrow(
      /^RPC_URLS is invalid: (?!.*KEY)/,
    );
  });

  it('reads keys of watches, and shows none in an error', () => {
    const keys = `${'A'.repeat(43)} ${'B'.repeat(42)}A`;
    expect(readConfig({ WATCH_ENCRYPTION_KEYS: keys }).watchEncryptionKeys).toBe(keys);
    expect(readConfig({}).watchEncryptionKeys).toBeNull();
    expect(() => readConfig({ WATCH_ENCRYPTION_KEYS: `${keys} hidden` })).toThrow(
      /^WATCH_ENCRYPTION_KEYS must have one or more keys of 32 bytes (?!.*hidden)/,
    );
  });

  it('buys with a wallet and a budget, and shows the key in no error', () => {
    const key = '1'.repeat(64);
    const set = { DELIVERY_KEY: key, DELIVERY_BUDGET: 'purchase=0.05 endpoint=0.10 day=1 total=25' };
    expect(
      readConfig({ ...set, DELIVERY_SKIP: 'a.example b.example' }, 'live').live?.purchases,
    ).toMatchObject({
      account: { address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' },
      skip: ['a.example', 'b.example'],
    });
    expect(readConfig({}, 'live').live?.purchases).toBeUndefined();
    for (const env of [{ DELIVERY_KEY: key }, { DELIVERY_BUDGET: set.DELIVERY_BUDGET }])
      expect(() => readConfig(env, 'live')).toThrow(
        /^DELIVERY_KEY must be set together with DELIVERY_BUDGET$/,
      );
    const payTo = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
    expect(() => readConfig({ ...set, X402_PAY_TO: payTo })).toThrow(
      /^DELIVERY_KEY must be the key of another wallet than X402_PAY_TO$/,
    );
    expect(() => readConfig({ ...set, DELIVERY_KEY: 'hidden' })).toThrow(
      /^DELIVERY_KEY must be a private key: (?!.*hidden)/,
    );
    expect(() => readConfig({ ...set, DELIVERY_BUDGET: 'day=1' })).toThrow(
      /^DELIVERY_BUDGET must have the limits/,
    );
  });

  it.each([
    [{ EMBEDDER: 'remote' }, 'EMBEDDER must be local, supabase or none; received remote'],
    [{ EMBEDDER: 'supabase' }, 'EMBEDDER must be local or none without SUPABASE_URL; received supabase'],
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 1 to 65535; received eighty'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 1 to 65535; received 70000'],
    [{ SANDBOX_DAYS: '-1' }, 'SANDBOX_DAYS must be a whole number from 0 to 90; received -1'],
    [{ TRUSTED_PROXIES: '9' }, 'TRUSTED_PROXIES must be a whole number from 0 to 8; received 9'],
    [{ VANTAGE: 'x'.repeat(41) }, 'VANTAGE must have 1 to 40 printable characters'],
    [{ BASE_URL: 'touchstone' }, 'BASE_URL must be an http or https URL; received touchstone'],
    [
      { SUPABASE_URL: 'https://x.supabase.co' },
      'SUPABASE_URL must be set together with SUPABASE_SECRET_KEY and SUPABASE_PUBLISHABLE_KEY',
    ],
    [{ SUPABASE_SECRET_KEY: 'secret' }, 'SUPABASE_URL must be set together with'],
    [
      { SANDBOX_NETWORK: 'base-sepolia' },
      'SANDBOX_NETWORK must be eip155:8453 or eip155:84532; received base-sepolia',
    ],
    [
      { SANDBOX_LISTINGS: '/nowhere.jsonl' },
      'SANDBOX_LISTINGS must be a readable file; received /nowhere.jsonl',
    ],
  ])('rejects %o with one line', (env, message) => {
    let thrown: unknown;
    try {
      readConfig(env);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConfigError);
    expect((thrown as ConfigError).message).toContain(message);
    expect((thrown as ConfigError).message).not.toContain('\n');
  });
});
