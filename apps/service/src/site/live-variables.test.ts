import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { createLiveVariables } from './live-variables.ts';

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
      SANDBOX_FILE: '',
    });
  });

  it('allows private addresses only with ALLOW_PRIVATE', () => {
    expect(createVariables({})).toMatchObject({ ALLOW_PRIVATE: '', NAME_SERVERS: '' });
    expect(createVariables({ ALLOW_PRIVATE: 'for-tests' })).toMatchObject({ ALLOW_PRIVATE: 'for-tests' });
  });
});
