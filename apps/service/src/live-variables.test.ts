import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { liveVariables } from './live-variables.ts';

const variablesOf = (env: Record<string, string>) => {
  const { live } = readConfig(env, 'live');
  return live === null ? null : liveVariables(live);
};

describe('liveVariables', () => {
  it('has the site probe as the service does', () => {
    const env = {
      SITE_URL: 'https://who.example',
      CANARY_URLS: 'https://c.example/',
      NAME_SERVERS: '::1 127.0.0.1:53',
    };
    expect(variablesOf(env)).toEqual({
      PROBE_USER_AGENT: 'Touchstone/0.1 (+https://who.example)',
      CANARY_URLS: 'https://c.example/',
      NAME_SERVERS: '::1 127.0.0.1:53',
      ALLOW_PRIVATE: '',
      SANDBOX_FILE: '',
    });
  });

  it('dials public addresses alone unless a test says otherwise', () => {
    expect(variablesOf({})).toMatchObject({ ALLOW_PRIVATE: '', NAME_SERVERS: '' });
    expect(variablesOf({ ALLOW_PRIVATE: 'for-tests' })).toMatchObject({ ALLOW_PRIVATE: 'for-tests' });
  });
});
