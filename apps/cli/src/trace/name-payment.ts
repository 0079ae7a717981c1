import { readSignedPayment } from '@touchstone/guard';
import { DEFAULT_NETWORK, parseNetwork } from '@touchstone/x402';
import { CliError } from '../command-tools.ts';

/** Values of a request that name a payment. */
export interface PaymentName {
  readonly network: string;
  readonly transaction?: string | undefined;
  readonly payer?: string | undefined;
  readonly nonce?: string | undefined;
  readonly validBefore?: string | undefined;
  readonly asset?: string | undefined;
}

/** Options and argument that name a payment. */
export interface PaymentOptions extends Partial<PaymentName> {
  /** Header `PAYMENT-SIGNATURE` or `X-PAYMENT`. */
  readonly payment?: string;
}

/** Last end of a signed payment that the service reads: 10 digits of Unix seconds. */
const MAX_END = 9_999_999_999n;
const BY_TRANSACTION = 'Name it by its transaction, which the seller or a block explorer shows.';

/**
 * Reads which payment is asked for. The service checks the values, and explains each mistake.
 *
 * @throws CliError if the payment is not named completely, because an unused nonce of another network or token looks
 *   like a payment that was not charged
 */
export function namePayment(options: PaymentOptions): PaymentName {
  const { transaction, payment, network, nonce, payer, validBefore, asset } = options;
  if (payment !== undefined) return readName(payment, options);
  if (transaction === undefined && nonce === undefined)
    throw new CliError(
      'Name the payment: give --payment with its header PAYMENT-SIGNATURE, or its transaction. See --help.',
    );
  if (nonce !== undefined && (network === undefined || asset === undefined))
    throw new CliError(
      'Give --network and --asset of the payment with --nonce. On another network or in another token its nonce is unused, as if nothing was charged. --payment with the header reads all of it.',
    );
  return { network: toId(network ?? DEFAULT_NETWORK), transaction, payer, nonce, validBefore, asset };
}

/** Converts a version 1 name. The service explains what is wrong with any other text. */
const toId = (network: string): string => parseNetwork(network) ?? network;

function readName(
  header: string,
  { transaction, network, nonce, payer, validBefore, asset }: PaymentOptions,
) {
  if ([transaction, network, nonce, payer, validBefore].some((value) => value !== undefined))
    throw new CliError('Give --payment without a transaction and the values that its header contains.');
  const signed = readSignedPayment(header.trim());
  if (signed === null)
    throw new CliError(
      'The value of --payment is no readable payment. Expected the text of the header PAYMENT-SIGNATURE or X-PAYMENT, which is base64.',
    );
  const { transfer, accepted } = signed;
  if (transfer === null) throw new CliError(`A payment on ${signed.network} has no nonce. ${BY_TRANSACTION}`);
  if (transfer.kind === 'voucher')
    throw new CliError('This payment is part of an earlier deposit. Trace the payment with the deposit.');
  if (transfer.nonce === '')
    throw new CliError(`The header of this deposit does not contain its nonce. ${BY_TRANSACTION}`);
  const named = transfer.asset ?? accepted?.asset;
  if (named !== undefined && asset !== undefined)
    throw new CliError(`Leave out --asset: the header names the token ${named}.`);
  if (named === undefined && asset === undefined)
    throw new CliError('A payment of x402 version 1 does not name its token. Add --asset.');
  const end = transfer.validBefore;
  return {
    ...{ network: toId(signed.network), payer: transfer.from, nonce: transfer.nonce },
    ...{ asset: named ?? asset, validBefore: end === null || end > MAX_END ? undefined : end.toString() },
  };
}
