import { describe, expect, it } from 'vitest';
import { parseZone, createZoneResolver, type Zone } from './zone.ts';

const zone: Zone = {
  suffix: 'sandbox.test',
  address: '127.0.0.1',
  port: 4402,
  unresolvable: ['gone.sandbox.test'],
  overrides: { 'dead.sandbox.test': { port: 1 } },
};
const signal = new AbortController().signal;
const here = { address: '127.0.0.1', family: 4, isTrusted: true };

describe('names of a zone', () => {
  it('resolve to the address and port of the zone or of their override', async () => {
    const resolver = createZoneResolver(() => zone);
    expect(await resolver('weather.sandbox.test', signal)).toEqual([{ ...here, port: 4402 }]);
    expect(await resolver('dead.sandbox.test', signal)).toEqual([{ ...here, port: 1 }]);
  });

  it.each(['gone.sandbox.test', 'example.com', 'sandbox.test', 'evilsandbox.test'])(
    'do not include %s',
    async (name) => {
      await expect(createZoneResolver(() => zone)(name, signal)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    },
  );

  it('are read again for each lookup', async () => {
    let current = zone;
    const resolver = createZoneResolver(() => current);
    current = { ...zone, unresolvable: [] };
    expect(await resolver('gone.sandbox.test', signal)).toHaveLength(1);
  });

  it('are rejected in any other format', () => {
    expect(parseZone({ ...zone })).toEqual(zone);
    expect(() => parseZone({ ...zone, port: 'all' })).toThrow();
  });
});
