import { rpcSettingsSchema } from '@touchstone/pipeline';
import { findCanonicalUsdc, verifyChecksum, isBurnAddress } from '@touchstone/x402';
import { z } from 'zod';

/** Coinbase's facilitator, which asks for the two CDP keys. */
const CDP_FACILITATOR = 'https://api.cdp.coinbase.com/platform/v2/x402';

/** Where the buyers' money goes, and who moves it. */
export interface PaymentConfig {
  /** CAIP-2 id, whose canonical USDC is charged. */
  readonly network: string;
  /** Wallet of the operator. */
  readonly payTo: string;
  readonly facilitatorUrl: string;
  readonly cdp: { readonly keyId: string; readonly keySecret: string } | null;
  /** RPC URLs by network, that of the payments among them, to see for itself what a settlement came to. */
  readonly rpcUrls: ReadonlyMap<string, readonly string[]>;
}

const emptyToUndefined = (value: unknown): unknown => (value === '' ? undefined : value);
const optionalText = z.preprocess(emptyToUndefined, z.string().trim().optional());

/**
 * The variables of what is sold. Without a wallet nothing is sold, nor without a provider of its network: only the chain
 * says for certain whether a payment was settled. All else works.
 */
export const paymentEnvironment = {
  X402_NETWORK: z.preprocess(
    emptyToUndefined,
    z
      .string()
      .refine((network) => network.startsWith('eip155:') && findCanonicalUsdc(network) !== null, {
        error: 'must be the CAIP-2 id of an EVM network with a USDC of its own, such as eip155:8453',
      })
      .default('eip155:8453'),
  ),
  X402_PAY_TO: z.preprocess(
    emptyToUndefined,
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be the address of a wallet: 0x and 40 hexadecimal digits')
      .refine((address) => verifyChecksum(address) !== 'bad', {
        error: 'has a digit or a letter that is wrong: its checksum does not match',
      })
      .refine((address) => !isBurnAddress(address), { error: 'must not be where money is destroyed' })
      .optional(),
  ),
  X402_FACILITATOR_URL: z.preprocess(
    emptyToUndefined,
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  ),
  CDP_API_KEY_ID: optionalText,
  CDP_API_KEY_SECRET: optionalText,
  RPC_URLS: z.preprocess(emptyToUndefined, rpcSettingsSchema.prefault('')),
};

type PaymentVariables = z.output<z.ZodObject<typeof paymentEnvironment>>;

/** Where the site is, which is published in every challenge. */
interface SiteVariables {
  readonly BASE_URL?: string | undefined;
  /** In the sandbox nobody comes from elsewhere. */
  readonly SANDBOX_FILE?: string | undefined;
}

/** What the variables say together and not one by one. */
export function checkPaymentVariables(
  variables: PaymentVariables & SiteVariables,
  context: z.RefinementCtx,
): void {
  const { CDP_API_KEY_ID: keyId, CDP_API_KEY_SECRET: keySecret } = variables;
  const reject = (name: string, message: string) => {
    context.addIssue({ code: 'custom', path: [name], message });
  };
  if ((keyId === undefined) !== (keySecret === undefined)) {
    reject(
      keyId === undefined ? 'CDP_API_KEY_ID' : 'CDP_API_KEY_SECRET',
      'must be set where the other half of the CDP key is',
    );
  }
  if (variables.X402_PAY_TO === undefined) return;
  if (variables.BASE_URL === undefined && variables.SANDBOX_FILE === undefined) {
    reject('BASE_URL', 'must be set where X402_PAY_TO is');
  }
  if (variables.X402_FACILITATOR_URL === undefined && keyId === undefined) {
    reject('X402_FACILITATOR_URL', 'must be set where X402_PAY_TO is, unless the CDP keys are');
  }
}

/** @returns null where nothing is sold, because no wallet is set, or no provider of its network */
export function toPaymentConfig(variables: PaymentVariables): PaymentConfig | null {
  const { X402_PAY_TO, CDP_API_KEY_ID: keyId, CDP_API_KEY_SECRET: keySecret } = variables;
  if (X402_PAY_TO === undefined || !variables.RPC_URLS.has(variables.X402_NETWORK)) return null;
  const cdp = keyId === undefined || keySecret === undefined ? null : { keyId, keySecret };
  return {
    network: variables.X402_NETWORK,
    payTo: X402_PAY_TO,
    facilitatorUrl: variables.X402_FACILITATOR_URL ?? CDP_FACILITATOR,
    cdp,
    rpcUrls: variables.RPC_URLS,
  };
}
