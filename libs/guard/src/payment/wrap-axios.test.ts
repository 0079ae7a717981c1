import { wrapAxiosWithPayment, x402Client } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import axios, { AxiosError, type CreateAxiosDefaults } from 'axios';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, it } from 'vitest';
import type { Decision } from '../decision/decision.ts';
import { PaymentRefusedError } from '../errors.ts';
import { createGuard } from '../guard.ts';
import { createRequirements, encode, startSeller, type Terms } from '../testing/seller.ts';
import { KEYS, OTHER_PAY_TO, startTouchstone, type Answer } from '../testing/touchstone.ts';

/** Published test key. It signs payments of test tokens only. */
const ACCOUNT = privateKeyToAccount(`0x${'01'.repeat(32)}`);

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

interface Setup {
  readonly offers?: readonly Terms[];
  readonly answer?: (url: URL) => Answer;
  readonly defaults?: CreateAxiosDefaults;
}

async function setUp({ offers, answer, defaults }: Setup = {}) {
  const touchstone = await startTouchstone(answer);
  const seller = await startSeller(offers);
  running.push(touchstone, seller);
  const decisions: Decision[] = [];
  let signatures = 0;
  const signer = {
    address: ACCOUNT.address,
    signTypedData: (...message: Parameters<typeof ACCOUNT.signTypedData>) => {
      signatures += 1;
      return ACCOUNT.signTypedData(...message);
    },
  };
  const client = new x402Client()
    .register('eip155:8453', new ExactEvmScheme(signer))
    .registerV1('base', new ExactEvmSchemeV1(signer));
  const guard = createGuard({
    ...{ service: touchstone.url, keys: KEYS.published.keys },
    onDecision: (decision) => decisions.push(decision),
  });
  const api = wrapAxiosWithPayment(
    guard.wrapAxios(axios.create({ baseURL: seller.url, proxy: false, ...defaults })),
    client,
  );
  return { touchstone, seller, guard, client, decisions, api, countSignatures: () => signatures };
}

async function refuse(request: Promise<{ status: number }>): Promise<string> {
  return request.then(
    ({ status }) => `status ${status}`,
    (error: unknown) => {
      if (!(error instanceof PaymentRefusedError)) throw error;
      return error.decision.reasons.map(({ code }) => code).join(' ');
    },
  );
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
    ['a price far above the usual one', 'price-multiple', { offers: [{ amount: '500000' }] }],
    ['an endpoint to avoid', 'recommendation', { answer: () => ({ endpoint: { recommendation: 'avoid' } }) }],
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
    const { api, touchstone, countSignatures } = await setUp({
      answer: (url) =>
        url.searchParams.get('resource') === claimed ? {} : { endpoint: { recommendation: 'avoid' } },
      defaults: {
        adapter: async (config) => {
          const headers = { 'payment-required': header };
          const response = { data: '', status: 402, statusText: '', headers, config };
          throw new AxiosError('402', 'ERR_BAD_REQUEST', config, {}, response);
        },
      },
    });
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
    running.splice(running.indexOf(seller), 1);
    await expect(closed.get(`${seller.url}/v2/weather`)).rejects.toThrow(AxiosError);
    expect(decisions).toHaveLength(1);
  });
});
