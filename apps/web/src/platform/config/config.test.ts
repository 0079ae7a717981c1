import { describe, expect, it } from 'vitest';
import {
  readMaxConcurrentBatches,
  readConfig,
  readVantage,
  readSiteNotice,
  getSiteOrigin,
} from './config.ts';

const complete = {
  SUPABASE_URL: 'http://localhost:54321',
  SUPABASE_PUBLISHABLE_KEY: 'publishable',
  SUPABASE_SECRET_KEY: 'secret',
};

const readProblem = (environment: Record<string, string | undefined>) => {
  const result = readConfig(environment);
  return result.ok ? null : result.problem;
};

describe('readConfig', () => {
  it('reads the configuration', () => {
    expect(readConfig({ ...complete, INTERNAL_TOKEN: '0123456789abcdef', OTHER: 'x' })).toEqual({
      ok: true,
      config: {
        supabaseUrl: 'http://localhost:54321',
        supabasePublishableKey: 'publishable',
        supabaseSecretKey: 'secret',
        reportSigningKeys: undefined,
        watchEncryptionKeys: undefined,
        internalToken: '0123456789abcdef',
        metricsToken: undefined,
        apiContact: undefined,
        apiGuidance: undefined,
        network: 'eip155:8453',
        payment: null,
        rpcUrls: new Map(),
        trustedProxies: 0,
        vantage: 'EU',
        probe: {
          sandboxFile: undefined,
          userAgent: undefined,
          canaryUrls: [],
          nameServers: undefined,
          allowPrivate: false,
        },
        embedder: { kind: 'supabase' },
      },
    });
  });

  it.each([
    ['https://touchstone.example/contact', { url: 'https://touchstone.example/contact' }],
    ['operator@touchstone.example', { email: 'operator@touchstone.example' }],
  ])('reads the contact %s', (contact, apiContact) => {
    expect(readConfig({ ...complete, API_CONTACT: contact })).toMatchObject({ config: { apiContact } });
  });

  it('names every missing variable in one line', () => {
    expect(readProblem({})).toBe(
      'Cannot start: SUPABASE_URL is missing; SUPABASE_PUBLISHABLE_KEY is missing; SUPABASE_SECRET_KEY is missing.',
    );
    expect(readProblem({ ...complete, SUPABASE_PUBLISHABLE_KEY: '' })).toBe(
      'Cannot start: SUPABASE_PUBLISHABLE_KEY is missing.',
    );
  });

  it.each([
    ['SUPABASE_URL', 'localhost'],
    ['SUPABASE_URL', 'postgres://user:hidden@db'],
    ['INTERNAL_TOKEN', 'short-hidden'],
    ['BASE_URL', 'ftp://hidden.example'],
    ['SITE_NOTICE', 'hidden'.repeat(40)],
    ['VANTAGE', 'hidden\u001b'],
    ['INNGEST_BATCHES_AT_ONCE', '0-hidden'],
    ['INNGEST_BATCHES_AT_ONCE', '1000'],
    ['SITE_INSTANCES', '0-hidden'],
    ['TRUSTED_PROXIES', '-1'],
    ['TRUSTED_PROXIES', 'all'],
    ['CANARY_URLS', 'https://canary.example hidden'],
    ['ALLOW_PRIVATE', 'hidden'],
    ['EMBEDDER', 'hidden'],
    ['EMBEDDER', 'ftp://hidden.example'],
    ['EMBEDDER_TOKEN', 'hidden'],
    ['EMBEDDER_TOKEN', 'hidden-0123456789\nabcdef'],
    ['METRICS_TOKEN', 'hidden'],
    ['METRICS_TOKEN', 'hidden-0123456789 abcdef'],
    ['API_CONTACT', 'hidden'],
    ['API_CONTACT', 'mailto:hidden@touchstone.example'],
    ['API_GUIDANCE', 'hidden'.repeat(700)],
    ['API_GUIDANCE', '   '],
    ['X402_NETWORK', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['X402_FACILITATOR_URL', 'ftp://hidden.example'],
    ['RPC_URLS', 'hidden'],
  ])('explains the problem with %s without its value', (name, value) => {
    const problem = readProblem({ ...complete, [name]: value });
    expect(problem).toMatch(new RegExp(`^Cannot start: ${name} .+\\.$`));
    expect(problem).not.toContain(value);
    expect(problem).not.toContain('\n');
  });
});

describe('getSiteOrigin', () => {
  it('returns the origin of BASE_URL', () => {
    expect(getSiteOrigin({ BASE_URL: 'https://touchstone.example/some/path' })).toBe(
      'https://touchstone.example',
    );
  });

  it('defaults to localhost without BASE_URL', () => {
    expect(getSiteOrigin({})).toBe('http://localhost:3000');
    expect(getSiteOrigin({ PORT: '4100', BASE_URL: '' })).toBe('http://localhost:4100');
  });
});

describe('readSiteNotice', () => {
  it('returns null by default', () => {
    for (const environment of [{}, { SITE_NOTICE: '' }, { SITE_NOTICE: '  ' }]) {
      expect(readSiteNotice(environment)).toBeNull();
      expect(readConfig({ ...complete, ...environment })).toMatchObject({ ok: true });
    }
  });

  it('returns a notice of at most 200 characters', () => {
    expect(readSiteNotice({ SITE_NOTICE: ' A sandbox: these endpoints are made up. ' })).toBe(
      'A sandbox: these endpoints are made up.',
    );
    expect(readSiteNotice({ SITE_NOTICE: 'x'.repeat(200) })).toHaveLength(200);
    expect(readSiteNotice({ SITE_NOTICE: 'x'.repeat(201) })).toBeNull();
  });
});

describe('readVantage and readMaxConcurrentBatches', () => {
  it('have defaults, also for an empty variable', () => {
    const empty = { VANTAGE: '', INNGEST_BATCHES_AT_ONCE: '', INTERNAL_TOKEN: '', BASE_URL: '' };
    for (const environment of [{}, empty]) {
      expect([readVantage(environment), readMaxConcurrentBatches(environment)]).toEqual(['EU', 4]);
      expect(readConfig({ ...complete, ...environment })).toMatchObject({
        config: { internalToken: undefined },
      });
    }
    const environment = { ...complete, VANTAGE: 'us-east-1', INNGEST_BATCHES_AT_ONCE: '32' };
    expect(readMaxConcurrentBatches(environment)).toBe(32);
    expect(readConfig(environment)).toMatchObject({ ok: true, config: { vantage: 'us-east-1' } });
  });
});

describe('EMBEDDER', () => {
  const token = '0123456789abcdef';
  const process = { kind: 'process', url: 'http://127.0.0.1:9001/', token };
  it.each([
    [{}, { kind: 'supabase' }],
    [{ EMBEDDER: '', EMBEDDER_TOKEN: '' }, { kind: 'supabase' }],
    [{ EMBEDDER: 'supabase', EMBEDDER_TOKEN: token }, { kind: 'supabase' }],
    [{ EMBEDDER: 'none' }, { kind: 'none' }],
    [{ EMBEDDER: 'http://127.0.0.1:9001/', EMBEDDER_TOKEN: token }, process],
  ])('with %j is %j', (environment, embedder) => {
    expect(readConfig({ ...complete, ...environment })).toMatchObject({ ok: true, config: { embedder } });
  });

  it('needs a token if it is an address', () => {
    expect(readProblem({ ...complete, EMBEDDER: 'http://127.0.0.1:9001/' })).toBe(
      'Cannot start: EMBEDDER_TOKEN is missing.',
    );
  });
});

describe('payment configuration', () => {
  const RPC_URLS = 'base=https://rpc.example/key base-sepolia=https://rpc.example/key';
  const PAY_TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const FACILITATOR = 'https://facilitator.example/x402';
  const BASE_URL = 'https://touchstone.example';
  const readPayment = (environment: Record<string, string>) => {
    const result = readConfig({ ...complete, BASE_URL, ...environment });
    return result.ok ? result.config.payment : result.problem;
  };

  it('disables payments without a wallet, or without an RPC provider of the payment network', () => {
    const settings = { X402_PAY_TO: PAY_TO, X402_FACILITATOR_URL: FACILITATOR };
    for (const environment of [
      { X402_PAY_TO: '', X402_FACILITATOR_URL: FACILITATOR },
      settings,
      { ...settings, RPC_URLS: 'polygon=https://rpc.example/key' },
      { ...settings, RPC_URLS, X402_NETWORK: 'eip155:137' },
    ])
      expect(readPayment(environment)).toBeNull();
  });

  it('charges USDC on Base by default', () => {
    const required = { X402_PAY_TO: PAY_TO, X402_FACILITATOR_URL: FACILITATOR, RPC_URLS };
    expect(readPayment(required)).toMatchObject({ network: 'eip155:8453', payTo: PAY_TO, cdp: null });
    expect(readPayment({ ...required, X402_NETWORK: 'eip155:84532' })).toMatchObject({
      network: 'eip155:84532',
    });
  });

  it('requires BASE_URL, which payment challenges contain, except in the sandbox', () => {
    const required = { X402_PAY_TO: PAY_TO, X402_FACILITATOR_URL: FACILITATOR, RPC_URLS, BASE_URL: '' };
    expect(readPayment(required)).toBe('Cannot start: BASE_URL is missing.');
    expect(readPayment({ ...required, X402_PAY_TO: '' })).toBeNull();
    expect(readPayment({ ...required, SANDBOX_FILE: '/data/sandbox.json' })).toMatchObject({ payTo: PAY_TO });
  });

  it('requires a facilitator with a wallet, and defaults to CDP if its keys are set', () => {
    expect(readPayment({ X402_PAY_TO: PAY_TO })).toBe('Cannot start: X402_FACILITATOR_URL is missing.');
    const keys = { CDP_API_KEY_ID: 'id', CDP_API_KEY_SECRET: 'hidden' };
    expect(readPayment({ X402_PAY_TO: PAY_TO, RPC_URLS, ...keys })).toMatchObject({
      facilitatorUrl: 'https://api.cdp.coinbase.com/platform/v2/x402',
      cdp: { keyId: 'id', keySecret: 'hidden' },
    });
  });

  it.each([
    [{ CDP_API_KEY_ID: 'hidden' }, 'Cannot start: CDP_API_KEY_SECRET is missing.'],
    [{ CDP_API_KEY_SECRET: 'hidden' }, 'Cannot start: CDP_API_KEY_ID is missing.'],
  ])('requires both parts of a CDP key, or no part', (half, problem) => {
    expect(readPayment(half)).toBe(problem);
  });

  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA',
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x0000000000000000000000000000000000000000',
    '0x000000000000000000000000000000000000dEaD',
    'vitalik.eth',
  ])('refuses the wallet %s', (wallet) => {
    const problem = readPayment({ X402_PAY_TO: wallet, X402_FACILITATOR_URL: FACILITATOR });
    expect(problem).toMatch(/^Cannot start: X402_PAY_TO (must|has) .+\.$/);
  });

  it('reads the RPC URLs by network and keeps them secret in errors', () => {
    const settings = { X402_PAY_TO: PAY_TO, X402_FACILITATOR_URL: FACILITATOR };
    expect(readPayment({ ...settings, RPC_URLS: 'base=https://rpc.example/key' })).toMatchObject({
      rpcUrls: new Map([['eip155:8453', ['https://rpc.example/key']]]),
    });
    expect(readPayment({ ...settings, RPC_URLS: 'base=https://hid den' })).not.toContain('den');
  });
});

describe('probe configuration', () => {
  it('reads the settings of the service', () => {
    const settings = {
      SANDBOX_FILE: '/data/sandbox.json',
      PROBE_USER_AGENT: 'Touchstone/0.1 (a private instance)',
      CANARY_URLS: 'https://a.example/ https://b.example/',
      NAME_SERVERS: '127.0.0.1:53 ::1',
      ALLOW_PRIVATE: 'for-tests',
    };
    expect(readConfig({ ...complete, ...settings })).toMatchObject({
      config: {
        probe: {
          sandboxFile: '/data/sandbox.json',
          userAgent: 'Touchstone/0.1 (a private instance)',
          canaryUrls: ['https://a.example/', 'https://b.example/'],
          nameServers: ['127.0.0.1:53', '::1'],
          allowPrivate: true,
        },
      },
    });
  });
});
