import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorizationTypes } from '@x402/evm';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { z } from 'zod';
import { createWallet } from './chain.ts';

/** Paid operation that the tests of conformance buy. */
export const SALE_PATH = '/v1/x402-trust';
const BODY = { resource: 'https://fxline.sandbox.test/v1/rates/latest' };
/** Initial balance of the payer: 1 USDC in atomic units. */
const BALANCE = 1_000_000n;

/** Payment requirements of the scheme `exact` on an EVM network (x402 version 2, section 5.1.2). */
const termsSchema = z.looseObject({
  scheme: z.literal('exact'),
  /** CAIP-2 id. */
  network: z.string().regex(/^eip155:\d{1,10}$/),
  /** Price in atomic units. */
  amount: z.string().regex(/^[1-9]\d*$/),
  asset: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  payTo: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  maxTimeoutSeconds: z.int().positive(),
  /** EIP-712 domain of the token. */
  extra: z.looseObject({ name: z.string().min(1), version: z.string().min(1) }),
});
type Terms = z.infer<typeof termsSchema>;

const challengeSchema = z.looseObject({
  x402Version: z.literal(2),
  error: z.string().optional(),
  resource: z.looseObject({
    url: z.url(),
    serviceName: z.string().optional(),
    tags: z.array(z.string()).optional(),
    iconUrl: z.string().optional(),
  }),
  accepts: z.tuple([termsSchema]),
  extensions: z.record(z.string(), z.looseObject({ info: z.unknown(), schema: z.unknown() })),
});
type Challenge = z.infer<typeof challengeSchema>;

/** Members of an EIP-3009 authorization. Numbers are decimal strings. */
interface Authorization {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

/** Payment of x402 version 2. */
export interface ExactPayment {
  readonly x402Version: number;
  readonly resource: { readonly url: string };
  readonly accepted: Readonly<Record<string, unknown>>;
  readonly payload: { readonly signature: Hex; readonly authorization: Authorization };
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Changes of a payment before it is signed. */
interface SignedChanges {
  /** Payment requirements that differ from the challenge. The payment signs them and repeats them in `accepted`. */
  readonly terms?: Partial<Terms>;
  readonly authorization?: Partial<Authorization>;
}

/** Challenge of the paid operation, and a new wallet that can pay it. */
export interface Sale {
  readonly challenge: Challenge;
  readonly terms: Terms;
  readonly payer: PrivateKeyAccount;
  /** Signs a payment. Each payment has its own nonce. */
  readonly sign: (changes?: SignedChanges) => Promise<ExactPayment>;
}

/** Returns a copy of a payment in which some members of the payload are replaced, without a new signature. */
export const withPayload = (
  payment: ExactPayment,
  { signature = payment.payload.signature, ...authorization }: Readonly<Record<string, string>>,
): object => ({
  ...payment,
  payload: { signature, authorization: { ...payment.payload.authorization, ...authorization } },
});

/** Inverts the first byte of the signature of a payment. */
export const forge = (payment: ExactPayment): object => {
  const { signature } = payment.payload;
  const first = (Number.parseInt(signature.slice(2, 4), 16) ^ 255).toString(16).padStart(2, '0');
  return withPayload(payment, { signature: `0x${first}${signature.slice(4)}` });
};

/** Encodes a value as JSON in base64, the format of x402 headers. */
export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Result of a settlement (x402 version 2, section 5.3). */
const receiptSchema = z.looseObject({
  success: z.boolean(),
  /** Hash of the transaction. */
  transaction: z.string().regex(/^0x[0-9a-f]{64}$/),
  network: z.string(),
  payer: z.string(),
});

/** Decodes and validates the header `PAYMENT-RESPONSE` of a response. */
export function readReceipt(response: Response): z.infer<typeof receiptSchema> {
  const header = z.base64().parse(response.headers.get('payment-response'));
  return receiptSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
}

/** Decodes and validates the header `PAYMENT-REQUIRED` of a response. Throws if it is not base64 of a challenge in JSON. */
export function readChallenge(response: Response): Challenge {
  const header = z.base64().parse(response.headers.get('payment-required'));
  return challengeSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
}

/** Sends a request to the paid operation, without a body. */
export const sendWithoutBody = (headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}${SALE_PATH}`, { method: 'POST', headers });

/** Sends a request with a payment to the paid operation. */
export const sendHeader = (
  header: string,
  { body = BODY, headers = {} }: { readonly body?: object; readonly headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}${SALE_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': header, ...headers },
    body: JSON.stringify(body),
  });

/** Sends a payment again. Until its settlement is recorded, the response has status 409, and this function repeats it. */
export async function sendAgain(header: string): Promise<Response> {
  const response = await sendHeader(header);
  if (response.status !== 409) return response;
  const { code } = z.looseObject({ code: z.string() }).parse(await response.json());
  if (code !== 'payment-in-progress') throw new Error(`The payment was refused: ${code}`);
  await sleep(100);
  return sendAgain(header);
}

async function signPayment({ challenge, terms, payer }: Omit<Sale, 'sign'>, changes: SignedChanges) {
  const accepted = { ...terms, ...changes.terms };
  const authorization: Authorization = {
    from: payer.address,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1_000) + terms.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}`,
    ...changes.authorization,
  };
  const signature = await payer.signTypedData({
    domain: {
      name: accepted.extra.name,
      version: accepted.extra.version,
      chainId: Number(accepted.network.split(':')[1]),
      // The schemas have checked the prefix `0x`, so the casts are safe.
      verifyingContract: accepted.asset as Hex,
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: payer.address,
      to: authorization.to as Hex,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as Hex,
    },
  });
  const { resource, extensions } = challenge;
  const payload = { signature, authorization };
  return { x402Version: 2, resource: { url: resource.url }, accepted, payload, extensions };
}

/** Requests a challenge of the shared service, and creates a wallet with USDC on the network of the challenge. */
export async function openSale(): Promise<Sale> {
  const challenge = readChallenge(await sendWithoutBody());
  const [terms] = challenge.accepts;
  const payer = await createWallet(BALANCE, { [terms.network]: terms.asset });
  const sale = { challenge, terms, payer };
  return { ...sale, sign: (changes = {}) => signPayment(sale, changes) };
}
