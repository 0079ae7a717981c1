import { createHash } from 'node:crypto';
import { ENDPOINT_SUMMARIES_EXAMPLE, type EndpointSummaries } from '@touchstone/contract';
import { signDocument } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../guard.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { BASE, KEYS, OTHER_KEYS, PAY_TO, sendJson, startTouchstone, USDC } from '../testing/touchstone.ts';

closeServersAfterEach();

const PAYMENT = {
  ...{ url: 'https://api.example.com/v1/weather', network: BASE },
  ...{ asset: USDC, amount: '10000', payTo: PAY_TO },
};
const HOST_HASH = createHash('sha256').update('api.example.com').digest('hex');
type Change = Omit<Partial<EndpointSummaries>, 'endpoints'> & { readonly endpoints?: unknown };

/** Decides on a payment by a range with differences from the example. */
async function decideOn(change: Change = {}, payment = PAYMENT, signing = KEYS.signing) {
  const touchstone = await startTouchstone();
  const generatedAt = new Date().toISOString();
  const [example] = ENDPOINT_SUMMARIES_EXAMPLE.endpoints;
  const endpoints = [{ ...example, lastProbedAt: generatedAt }];
  touchstone.respond = async (_url, _request, response) =>
    sendJson(
      response,
      await signDocument({ ...ENDPOINT_SUMMARIES_EXAMPLE, generatedAt, endpoints, ...change }, signing),
    );
  const guard = createGuard({ service: touchstone.url, keys: KEYS.published.keys, lookups: 'range' });
  const { action, reasons, summary } = await guard.check(payment);
  return { action, codes: reasons.map(({ code }) => code), reasons, summary, lookups: touchstone.lookups };
}

describe('a look-up by range', () => {
  it('finds the endpoint and the recipient in the range of the host', async () => {
    const { action, codes, lookups, summary } = await decideOn();
    expect([action, codes]).toEqual(['pay', []]);
    expect(lookups.map(({ pathname, search }) => pathname + search)).toEqual(['/v1/summaries/d']);
    expect(summary).toMatchObject({ match: 'exact', payTo: { observed: true, current: true } });
    expect(summary?.endpoint?.endpointPage).toMatch(/\/endpoint\/[a-z2-7]{10}$/);
  });

  it('says that it recognizes no imitation of a known host', async () => {
    const { codes, reasons } = await decideOn({ endpoints: [] });
    expect(codes).toContain('unknown-endpoint');
    expect(reasons.find(({ code }) => code === 'unknown-endpoint')?.message).toContain('imitations');
  });

  it.each<[string, string, Change]>([
    ['of another range', 'wrong-statement', { prefix: 'e' }],
    ['of another kind', 'wrong-statement', { schemaType: 'endpoint-summary' as 'endpoint-summaries' }],
    ['from last year', 'stale-statement', { generatedAt: '2025-01-01T00:00:00.000Z' }],
    ['without endpoints', 'unreachable', { endpoints: null }],
    ['that leaves out the host', 'unreachable', { endpoints: [], omittedHosts: [HOST_HASH] }],
    [
      'with a malformed URL',
      'unreachable',
      { endpoints: [{ resource: '/', templated: false, listing: null }] },
    ],
    [
      'with an endpoint without a rating',
      'unreachable',
      { endpoints: [{ resource: PAYMENT.url, templated: false, listing: 'directory' }] },
    ],
  ])('refuses a range %s', async (_name, code, change) => {
    const { action, codes, summary } = await decideOn(change);
    expect([action, codes, summary]).toEqual(['abort', [code], null]);
  });

  it('refuses a range that is signed with another key', async () => {
    expect(await decideOn({}, PAYMENT, OTHER_KEYS.signing)).toMatchObject({ codes: ['invalid-signature'] });
  });

  it('sends nothing for a URL or a network that the service does not accept', async () => {
    for (const change of [{ url: 'http://localhost:3000/weather' }, { network: 'nonsense' }]) {
      const { codes, lookups } = await decideOn({}, { ...PAYMENT, ...change });
      expect([codes[0], lookups]).toEqual(['not-accepted', []]);
    }
  });
});
