import { createOfferEIP712 } from '@x402/extensions/offer-receipt';
import { wrapFetchWithPayment } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { createGuard } from '../guard.ts';
import type { PolicyOptions } from '../decision/policy.ts';
import { refuse, setUp } from '../testing/guarded-client.ts';
import { closeServersAfterEach } from '../testing/listen.ts';
import { createRequirements, encode } from '../testing/seller.ts';
import { KEYS } from '../testing/touchstone.ts';
import { verifyOffer } from './verify-offer.ts';

closeServersAfterEach();

const SELLER = privateKeyToAccount(`0x${'03'.repeat(32)}`);
const INTRUDER = privateKeyToAccount(`0x${'04'.repeat(32)}`);
const URL_PAID = 'https://api.example.com/weather';

interface Case {
  /** Signer of the offer; null for a challenge without an offer. */
  readonly signer?: typeof SELLER | null;
  /** URL that responds; default the requested URL. */
  readonly finalUrl?: string;
  /** Status of the seller's DID document; default 404. */
  readonly didStatus?: number;
  readonly policy?: PolicyOptions;
}

/** Pays a seller that signs its offers, and returns the status or the codes of the reasons. */
async function pay({
  signer = SELLER,
  finalUrl = URL_PAID,
  didStatus = 404,
  policy,
}: Case = {}): Promise<string> {
  const { touchstone, client } = await setUp({ answer: () => ({ observed: [SELLER.address] }) });
  const guard = createGuard({
    ...{ service: touchstone.url, keys: KEYS.published.keys, policy, verifyOffer },
    fetch: async (input, init) =>
      new Request(input, init).url.endsWith('/did.json')
        ? new Response('', { status: didStatus })
        : fetch(input, init),
  });
  const requirements = createRequirements({ payTo: SELLER.address });
  const offers =
    signer === null
      ? []
      : [
          await createOfferEIP712(finalUrl, { ...requirements, acceptIndex: 0 }, async (data) =>
            signer.signTypedData(data),
          ),
        ];
  const challenge = {
    ...{
      x402Version: 2,
      resource: { url: finalUrl, description: '', mimeType: '' },
      accepts: [requirements],
    },
    extensions: { 'offer-receipt': { info: { offers }, schema: {} } },
  };
  const seller: typeof fetch = async (input, init) => {
    const isPaid = new Request(input, init).headers.has('payment-signature');
    const response = new Response('{}', {
      status: isPaid ? 200 : 402,
      headers: isPaid ? {} : { 'payment-required': encode(challenge) },
    });
    return Object.defineProperty(response, 'url', { value: finalUrl });
  };
  return refuse(wrapFetchWithPayment(guard.wrapFetch(seller), client)(URL_PAID));
}

it.each<[string, Case, string]>([
  ['an offer of the recipient', {}, 'status 200'],
  ['an offer of the URL after a redirect', { finalUrl: 'https://api.example.com/v2/weather' }, 'status 200'],
  ['no offer', { signer: null }, 'status 200'],
  ['an offer of another wallet', { signer: INTRUDER }, 'offer-invalid'],
  ['an offer whose signer cannot be looked up', { signer: INTRUDER, didStatus: 503 }, 'status 200'],
  [
    'a required offer whose signer cannot be looked up',
    { signer: INTRUDER, didStatus: 503, policy: { offers: 'require' } },
    'offer-unverified',
  ],
  ['an ignored offer of another wallet', { signer: INTRUDER, policy: { offers: 'ignore' } }, 'status 200'],
  ['a required offer', { policy: { offers: 'require' } }, 'status 200'],
  ['a required offer that is missing', { signer: null, policy: { offers: 'require' } }, 'offer-missing'],
])('decides on %s', async (_name, setup, expected) => {
  expect(await pay(setup)).toBe(expected);
});

it('requires the verifier for required offers', () => {
  const options = { service: 'https://touchstone.example', keys: KEYS.published.keys };
  expect(() => createGuard({ ...options, policy: { offers: 'require' } })).toThrow(/verifyOffer/);
});
