import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('the configuration of the live service', () => {
  it('has the public directories, gentle rates and a folder of its own', () => {
    const config = readConfig({}, 'live');
    expect(config.live).toMatchObject({
      probesPerSecond: 10,
      probesPerHostPerSecond: 1,
      nameServers: null,
      allowPrivate: false,
      userAgent: 'Touchstone/0.1 (unpaid x402 probes; a private instance without a page)',
    });
    expect(config.live?.directories).toHaveLength(10);
    expect(config.live?.canaries).toHaveLength(3);
    expect(config.dataDir).toMatch(/\.touchstone-live$/);
    expect(readConfig({}).live).toBeNull();
  });

  it('names a page in the User-Agent where there is one', () => {
    const agent = (env: Record<string, string>) => readConfig(env, 'live').live?.userAgent;
    expect(agent({ BASE_URL: 'https://t.example' })).toBe('Touchstone/0.1 (+https://t.example)');
    expect(agent({ BASE_URL: 'https://t.example', SITE_URL: 'https://t.example/about' })).toBe(
      'Touchstone/0.1 (+https://t.example/about)',
    );
  });

  it('reads directories and name servers', () => {
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
    [{ DIRECTORIES: 'd.example' }, 'd.example is not a directory'],
    [{ DIRECTORIES: 'a=https://d.example a=https://e.example' }, 'two directories have the same name'],
    [{ PROBES_PER_SECOND: '0' }, 'it must be at least 0.1'],
    [{ NAME_SERVERS: 'dns.example' }, 'it must be IP addresses'],
    [{ CANARY_URLS: 'nowhere' }, 'it must be http or https addresses'],
    [{ ALLOW_PRIVATE: 'yes' }, 'it can only be for-tests'],
  ])('says what is wrong with %o', (env, message) => {
    expect(() => readConfig(env, 'live')).toThrow(message);
  });
});
