import { PUBLIC_DIRECTORIES } from '@touchstone/catalog';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('the configuration of the live service', () => {
  it('defaults to the public directories, low rates and a separate folder', () => {
    const config = readConfig({}, 'live');
    expect(config.live).toMatchObject({
      probesPerSecond: 10,
      probesPerHostPerSecond: 1,
      nameServers: null,
      allowPrivate: false,
      userAgent: 'Touchstone/0.1 (x402 probes; a private instance without a page)',
    });
    expect(config.live?.directories).toBe(PUBLIC_DIRECTORIES);
    expect(config.live?.canaries).toHaveLength(3);
    expect(config.dataDir).toMatch(/\.touchstone-live$/);
    expect(readConfig({}).live).toBeNull();
  });

  it('has the public page in the User-Agent if there is one', () => {
    const agent = (env: Record<string, string>) => readConfig(env, 'live').live?.userAgent;
    expect(agent({ BASE_URL: 'https://t.example' })).toBe('Touchstone/0.1 (+https://t.example)');
    expect(agent({ BASE_URL: 'https://t.example', SITE_URL: 'https://t.example/about' })).toBe(
      'Touchstone/0.1 (+https://t.example/about)',
    );
  });

  it('parses directories and name servers', () => {
    const { live } = readConfig(
      {
        DIRECTORIES: 'mine=https://d.example/x?limit=100 https://e.example',
        NAME_SERVERS: '[::1]:53 1.1.1.1',
      },
      'live',
    );
    expect(live?.directories).toMatchObject([{ name: 'mine', pageSize: 100 }, { name: 'https://e.example' }]);
    expect(live?.nameServers).toEqual(['[::1]:53', '1.1.1.1']);
  });

  it.each([
    [
      { DIRECTORIES: 'd.example' },
      'must list directories as name=https://…?limit=100, and d.example is not one',
    ],
    [
      { DIRECTORIES: 'a=https://d.example a=https://e.example' },
      'must not list two directories with the same name',
    ],
    [{ PROBES_PER_SECOND: '0' }, 'PROBES_PER_SECOND must be a number from 0.1 to 200; received 0'],
    [{ NAME_SERVERS: 'dns.example' }, 'NAME_SERVERS must be a list of IP addresses'],
    [{ CANARY_URLS: 'nowhere' }, 'CANARY_URLS must be a list of http or https URLs; received nowhere'],
    [{ ALLOW_PRIVATE: 'yes' }, 'ALLOW_PRIVATE must be unset or for-tests'],
  ])('rejects %o', (env, message) => {
    expect(() => readConfig(env, 'live')).toThrow(message);
  });
});
