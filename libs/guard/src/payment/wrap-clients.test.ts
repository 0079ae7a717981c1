import { wrapAxiosWithPayment, x402Client } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import { wrapFetchWithPayment } from '@x402/fetch';
import axios, { AxiosError } from 'axios';
import { describe, expect, it } from 'vitest';
import { refuse, setUp as setUpClient, type Setup } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { createRequirements, encode } from '../testing/seller.ts';
import { OTHER_PAY_TO } from '../testing/touchstone.ts';

closeServersAfterEach();

type World = Awaited<ReturnType<typeof setUpClient>>;
interface Reply {
  readonly status: number;
  readonly text: string;
}
type Pay = (url: string) => Promise<Reply>;

/**
 * Creates the function that pays with a client. If `challenge` is given, every response is a 402 response with this
 * header.
 */
type CreatePay = (world: World, challenge?: string) => Pay;

const payWithFetch: CreatePay = ({ guard, client }, challenge) => {
  const send: typeof fetch =
    challenge === undefined
      ? fetch
      : async () => new Response(null, { status: 402, headers: { 'payment-required': challenge } });
  const pay = wrapFetchWithPayment(guard.wrapFetch(send), client);
  return async (url) => {
    const response = await pay(url);
    return { status: response.status, text: await response.text() };
  };
};

const createAxiosClient = ({ signer }: World) =>
  new x402Client()
    .register('eip155:8453', new ExactEvmScheme(signer))
    .registerV1('base', new ExactEvmSchemeV1(signer));

const payWithAxios: CreatePay = (world, challenge) => {
  const api = axios.create({ proxy: false });
  if (challenge !== undefined)
    api.defaults.adapter = async (config) => {
      const headers = { 'payment-required': challenge };
      const response = { data: '', status: 402, statusText: '', headers, config };
      throw new AxiosError('402', 'ERR_BAD_REQUEST', config, {}, response);
    };
  const paying = wrapAxiosWithPayment(world.guard.wrapAxios(api), createAxiosClient(world));
  return async (url) => {
    const { status, data } = await paying.get<string>(url);
    return { status, text: data };
  };
};

describe.each<[name: string, createPay: CreatePay]>([
  ['wrapFetch inside wrapFetchWithPayment', payWithFetch],
  ['wrapAxios before wrapAxiosWithPayment', payWithAxios],
])('%s', (_name, createPay) => {
  async function setUp(setup: Setup = {}, challenge?: string) {
    const world = await setUpClient(setup);
    const listLookups = () =>
      world.touchstone.lookups.map(({ searchParams }) => searchParams.get('resource'));
    return { ...world, pay: createPay(world, challenge), listLookups };
  }

  it.each(['/v2/weather', '/v1/weather'])('lets a good payment pass: %s', async (path) => {
    const { pay, seller, listLookups, decisions } = await setUp();
    expect(await pay(`${seller.url}${path}?city=berlin`)).toEqual({ status: 200, text: 'the weather' });
    expect(seller.payments).toHaveLength(1);
    expect(listLookups()).toEqual([seller.url + path]);
    // The offer is checked first, then the signed payment.
    expect(decisions.map(({ action }) => action)).toEqual(['pay', 'pay']);
  });

  it.each<[string, string, Setup]>([
    ['a recipient that was never observed', 'pay-to-mismatch', { offers: [{ payTo: OTHER_PAY_TO }] }],
    ['an endpoint to avoid', 'recommendation', { answer: () => ({ endpoint: { recommendation: 'avoid' } }) }],
    ['an amount that is no integer', 'invalid-payment', { offers: [{ amount: '0.01' }] }],
    ['no offers', 'invalid-payment', { offers: [] }],
  ])('stops %s before it is signed', async (_title, expected, setup) => {
    for (const version of ['v1', 'v2']) {
      const { pay, seller, countSignatures } = await setUp(setup);
      expect(await refuse(pay(`${seller.url}/${version}/weather`))).toBe(expected);
      expect([countSignatures(), seller.payments]).toEqual([0, []]);
    }
  });

  it('checks the requested URL and not the URL that the seller claims', async () => {
    const claimed = 'https://api.example.com/v1/weather';
    const answer = (url: URL) =>
      url.searchParams.get('resource') === claimed
        ? {}
        : ({ endpoint: { recommendation: 'avoid' } } as const);
    const resource = { url: claimed, description: '', mimeType: '' };
    const challenge = encode({ x402Version: 2, resource, accepts: [createRequirements()] });
    const { pay, listLookups, countSignatures } = await setUp({ answer }, challenge);
    expect(await refuse(pay('https://evil.example/weather'))).toBe('recommendation');
    expect(listLookups()).toEqual(['https://evil.example/weather']);
    expect(countSignatures()).toBe(0);
  });

  it('checks the requested URL and the URL after redirects', async () => {
    const { pay, listLookups, seller } = await setUp();
    expect((await pay(`${seller.url}/moved`)).status).toBe(200);
    expect(listLookups()).toEqual([`${seller.url}/moved`, `${seller.url}/v2/weather`]);
  });
});

describe('wrapAxios in another place', () => {
  it('checks a signed payment before it is sent, also after wrapAxiosWithPayment', async () => {
    const world = await setUpClient({ offers: [{ payTo: OTHER_PAY_TO }] });
    const { guard, seller } = world;
    const late = guard.wrapAxios(
      wrapAxiosWithPayment(axios.create({ proxy: false }), createAxiosClient(world)),
    );
    expect(await refuse(late.get(`${seller.url}/v2/weather`))).toBe('pay-to-mismatch');
    expect(seller.payments).toEqual([]);
  });

  it('passes other responses on, also errors, and checks a 402 response that is no error', async () => {
    const { guard, seller, decisions } = await setUpClient({ offers: [{ payTo: OTHER_PAY_TO }] });
    const accepting = guard.wrapAxios(axios.create({ proxy: false, validateStatus: () => true }));
    expect(await refuse(accepting.get(`${seller.url}/v2/weather`))).toBe('pay-to-mismatch');
    const closed = guard.wrapAxios(axios.create({ proxy: false }));
    await seller.close();
    await expect(closed.get(`${seller.url}/v2/weather`)).rejects.toThrow(AxiosError);
    expect(decisions).toHaveLength(1);
  });
});
