import { canonicalize } from '@touchstone/catalog';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHost, parseHost, toProviderPath } from './host-path.ts';

const getLastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

describe('parseHost', () => {
  it('returns the host of every endpoint of the catalog from the path of its page', () => {
    const hosts = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    let accepted = 0;
    fc.assert(
      fc.property(hosts, (name) => {
        const result = canonicalize(`https://${name}/path`);
        if (!result.ok) return;
        accepted += 1;
        expect(isHost(result.host)).toBe(true);
        expect(parseHost(getLastPart(toProviderPath(result.host)))).toBe(result.host);
      }),
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('changes the case of a name, and accepts brackets without percent-encoding', () => {
    expect(parseHost('API.Example.com')).toBe('api.example.com');
    expect(parseHost('[2606:4700:4700::1111]')).toBe('[2606:4700:4700::1111]');
  });

  it.each(['', '.', '..', 'a..b', 'api.example.com.', 'a%2fb', 'a b', '%', '[]', `${'a.'.repeat(127)}b`])(
    'rejects %j',
    (part) => {
      expect(parseHost(part)).toBeNull();
    },
  );
});
