import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      baseUrl: 'http://localhost:3000',
      supabase: null,
      sandbox: { seed: 'touchstone', days: 14, listings: null },
    });
  });

  it('takes an empty variable for an unset one', () => {
    expect(readConfig({ PORT: '', SUPABASE_URL: '', SANDBOX_LISTINGS: '' })).toEqual(readConfig({}));
  });

  it('uses a Supabase project when its address and both keys are set', () => {
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

  it('asks where buyers reach the site as soon as they pay real money', () => {
    const set = { X402_PAY_TO: '0xabc' };
    expect(() => readConfig(set, 'live')).toThrow(/^BASE_URL is not set/);
    expect(readConfig({ ...set, BASE_URL: 'https://a.example' }, 'live').baseUrl).toBe('https://a.example');
    expect(readConfig(set).baseUrl).toBe('http://localhost:3000');
  });

  it('reads RPC URLs by network, and repeats none where they are wrong', () => {
    expect(
      readConfig({ RPC_URLS: 'base=https://a.example/k1,https://b.example/k2' }, 'live').live?.rpcUrls,
    ).toEqual(new Map([['eip155:8453', ['https://a.example/k1', 'https://b.example/k2']]]));
    expect(() => readConfig({ RPC_URLS: 'base=ftp://a.example/KEY' }, 'live')).toThrow(
      /^RPC_URLS is not usable: (?!.*KEY)/,
    );
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT=eighty is not usable: it must be a whole number from 1 to 65535'],
    [{ PORT: '70000' }, 'PORT=70000 is not usable'],
    [{ SANDBOX_DAYS: '-1' }, 'SANDBOX_DAYS=-1 is not usable'],
    [{ TRUSTED_PROXIES: '9' }, 'TRUSTED_PROXIES=9 is not usable: it must be at most 8'],
    [{ BASE_URL: 'touchstone' }, 'BASE_URL=touchstone is not usable'],
    [
      { SUPABASE_URL: 'https://x.supabase.co' },
      'SUPABASE_SECRET_KEY and SUPABASE_PUBLISHABLE_KEY: set all three',
    ],
    [{ SUPABASE_SECRET_KEY: 'secret' }, 'SUPABASE_URL= is not usable'],
    [
      { SANDBOX_LISTINGS: '/nowhere.jsonl' },
      'SANDBOX_LISTINGS=/nowhere.jsonl is not usable: the file cannot be read',
    ],
  ])('says in one line what is wrong with %o', (env, message) => {
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
