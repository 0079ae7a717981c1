import { wrapAxiosWithPayment, x402Client } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import axios, { AxiosError, type CreateAxiosDefaults } from 'axios';
import { describe, expect, it } from 'vitest';
import { refuse, setUp as setUpClient, type Setup } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { createRequirements, encode } from '../testing/seller.ts';
import { OTHER_PAY_TO } from '../testing/touchstone.ts';

closeServersAfterEach();

async function setUp(setup: Setup = {}, defaults: CreateAxiosDefaults = {}) {
  const world = await setUpClient(setup);
  const guarded = world.guard.wrapAxios(
    axios.create({ baseURL: world.seller.url, proxy: false, ...defaults }),
  );
  const client = new x402Client()
    .register('eip155:8453', new ExactEvmScheme(world.signer))
    .registerV1('base', new ExactEvmSchemeV1(world.signer));
  return { ...world, client, api: wrapAxiosWithPayment(guarded, client) };
}

describe('wrapAxios before wrapAxiosWithPayment', () => {
  it.each(['/v2/weather', '/v1/weather'])('lets a good payment pass: %s', async (path) => {
    const { api, seller, touchstone, decisions } = await setUp();
    const response = await api.get<string>(path, { params: { city: 'berlin' } });
    expect([response.status, response.data]).toEqual([200, 'the weather']);
    expect(seller.payments).toHaveLength(1);
    expect(touchstone.lookups.map(({ searchParams }) => searchParams.get('resource'))).toEqual([
      seller.url + path,
    ]);
    // The offer is checked first, then the signed payment.
    expect(decisions.map(({ action }) => action)).toEqual(['pay', 'pay']);
  });

  it.each<[string, string, Setup]>([
    ['a recipient that was never observed', 'pay-to-mismatch', { offers: [{ payTo: OTHER_PAY_TO }] }],
    ['no offers', 'invalid-payment', { offers: [] }],
  ])('stops %s before it is signed', async (_name, expected, setup) => {
    for (const version of ['v1', 'v2']) {
      const { api, seller, countSignatures } = await setUp(setup);
      expect(await refuse(api.get(`/${version}/weather`))).toBe(expected);
      expect([countSignatures(), seller.payments]).toEqual([0, []]);
    }
  });

  it('checks the requested URL and not the URL that the seller claims', async () => {
    const claimed = 'https://api.example.com/v1/weather';
    const header = encode({
      x402Version: 2,
      resource: { url: claimed, description: '', mimeType: '' },
      accepts: [createRequirements()],
    });
    const answer = (url: URL) =>
      url.searchParams.get('resource') === claimed
        ? {}
        : ({ endpoint: { recommendation: 'avoid' } } as const);
    const { api, touchstone, countSignatures } = await setUp(
      { answer },
      {
        adapter: async (config) => {
          const headers = { 'payment-required': header };
          const response = { data: '', status: 402, statusText: '', headers, config };
          throw new AxiosError('402', 'ERR_BAD_REQUEST', config, {}, response);
        },
      },
    );
    expect(await refuse(api.get('https://evil.example/weather'))).toBe('recommendation');
    expect(touchstone.lookups.map(({ searchParams }) => searchParams.get('resource'))).toEqual([
      'https://evil.example/weather',
    ]);
    expect(countSignatures()).toBe(0);
  });

  it('checks the requested URL and the URL after redirects', async () => {
    const { api, touchstone, seller } = await setUp();
    expect((await api.get('/moved')).status).toBe(200);
    expect(touchstone.lookups.map(({ searchParams }) => searchParams.get('resource'))).toEqual([
      `${seller.url}/moved`,
      `${seller.url}/v2/weather`,
    ]);
  });
});

describe('wrapAxios in another place', () => {
  it('checks a signed payment before it is sent, also after wrapAxiosWithPayment', async () => {
    const { guard, client, seller } = await setUp({ offers: [{ payTo: OTHER_PAY_TO }] });
    const late = guard.wrapAxios(wrapAxiosWithPayment(axios.create({ proxy: false }), client));
    expect(await refuse(late.get(`${seller.url}/v2/weather`))).toBe('pay-to-mismatch');
    expect(seller.payments).toEqual([]);
  });

  it('passes other responses on, also errors, and checks a 402 response that is no error', async () => {
    const { guard, seller, decisions } = await setUp({ offers: [{ payTo: OTHER_PAY_TO }] });
    const accepting = guard.wrapAxios(axios.create({ proxy: false, validateStatus: () => true }));
    expect(await refuse(accepting.get(`${seller.url}/v2/weather`))).toBe('pay-to-mismatch');
    const closed = guard.wrapAxios(axios.create({ proxy: false }));
    await seller.close();
    await expect(closed.get(`${seller.url}/v2/weather`)).rejects.toThrow(AxiosError);
    expect(decisions).toHaveLength(1);
  });
});
