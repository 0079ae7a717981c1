import { getHeaderValues, parseJson } from '@touchstone/common';
import { MAX_TIMEOUT_SECONDS, parseNetwork } from '@touchstone/x402';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import type { PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import type { PayableOption } from './select-option.ts';

/** Signed payment that was not sent yet. */
export interface SignedPayment {
  /** Header fields of the paid request. */
  readonly headers: Readonly<Record<string, string>>;
  /** 32 bytes in hex, in lower case. */
  readonly nonce: string;
  /** Time from which on the token refuses the payment, in milliseconds since the epoch. */
  readonly validBefore: number;
}

const lowerCase = z.string().transform((text) => text.toLowerCase());
const offerSchema = z.looseObject({
  scheme: z.literal('exact'),
  network: z.string(),
  asset: lowerCase,
  payTo: lowerCase,
  amount: z.string().optional(),
  maxAmountRequired: z.string().optional(),
});
const payloadSchema = z.looseObject({
  payload: z.looseObject({
    authorization: z.object({
      from: lowerCase,
      to: lowerCase,
      value: z.coerce.bigint(),
      validBefore: z.coerce.bigint(),
      nonce: lowerCase.pipe(z.string().regex(/^0x[0-9a-f]{64}$/)),
      validAfter: z.unknown(),
    }),
  }),
});

/** Maximum difference between our clock and the clock that the client reads, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * Signs the payment of a challenge with the x402 reference client. The client sees the selected option only. The signed
 * authorization is compared with the option before it is returned.
 *
 * @param challenge headers and body of the 402 response
 * @param now time in milliseconds since the epoch
 * @throws Error when the client refuses the challenge, or signs another transfer than the selected option
 */
export async function signPayment(
  {
    headers,
    body,
  }: { readonly headers: readonly (readonly [string, string])[]; readonly body: string | null },
  {
    option,
    account,
    now,
  }: { readonly option: PayableOption; readonly account: PrivateKeyAccount; readonly now: number },
): Promise<SignedPayment> {
  const client = registerExactEvmScheme(
    // The budget limits the price, so the one-dollar limit of the client is switched off.
    new x402Client().setSpendControls(false).registerPolicy((_, offers) => offers.filter(matches(option))),
    { signer: account },
  );
  const http = new x402HTTPClient(client);
  const readHeader = (name: string): string | undefined => getHeaderValues(headers, name.toLowerCase())[0];
  const payload = await http.createPaymentPayload(
    http.getPaymentRequiredResponse(readHeader, parseJson(body ?? '')),
  );
  const { authorization } = payloadSchema.parse(payload).payload;
  const { nonce, validBefore } = authorization;
  const maxValidBefore = BigInt(Math.ceil(now / 1_000) + MAX_TIMEOUT_SECONDS + CLOCK_TOLERANCE_SECONDS);
  if (
    authorization.from !== account.address.toLowerCase() ||
    authorization.to !== option.payTo ||
    authorization.value !== option.amount ||
    validBefore > maxValidBefore
  )
    throw new Error('The client signed another transfer than the selected option. Nothing was sent.');
  return {
    headers: http.encodePaymentSignatureHeader(payload),
    nonce,
    validBefore: Number(validBefore) * 1_000,
  };
}

/** Returns a function that finds the selected option among the offers of either protocol version. */
function matches({ network, asset, payTo, amount }: PayableOption): (offer: unknown) => boolean {
  return (offer) => {
    const { data } = offerSchema.safeParse(offer);
    return (
      data !== undefined &&
      parseNetwork(data.network) === network &&
      data.asset === asset &&
      data.payTo === payTo &&
      (data.amount ?? data.maxAmountRequired) === String(amount)
    );
  };
}
