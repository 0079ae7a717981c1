import { rpcSettingsSchema } from '@touchstone/pipeline/chain-source';
import { DEFAULT_NETWORK, findCanonicalUsdc, verifyChecksum, isBurnAddress } from '@touchstone/x402';
import { z } from 'zod';
import { toOptional, treatEmptyAsUnset } from './optional-config.ts';

/** Default URL: the Coinbase facilitator. This facilitator requires the two CDP keys. */
const CDP_FACILITATOR = 'https://api.cdp.coinbase.com/platform/v2/x402';

/** Payment settings: network, recipient and facilitator. */
export type PaymentConfig = NonNullable<ReturnType<typeof toPaymentConfig>>;

const optionalText = toOptional(z.string().trim());

/**
 * Environment variables of payments. Payments are disabled if the wallet is not set, or if the payment network has no
 * RPC provider, because only the chain proves a settlement. Without payments, pages and free operations still work.
 */
export const paymentEnvironment = {
  X402_NETWORK: treatEmptyAsUnset(
    z
      .string()
      .refine((network) => network.startsWith('eip155:') && findCanonicalUsdc(network) !== null, {
        error: `must be the CAIP-2 id of an EVM network with canonical USDC, such as ${DEFAULT_NETWORK}`,
      })
      .default(DEFAULT_NETWORK),
  ).meta({
    isPassedInLiveMode: true,
    description: 'CAIP-2 id of the EVM network whose USDC is charged',
  }),
  X402_PAY_TO: toOptional(
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a wallet address: 0x and 40 hexadecimal digits')
      .refine((address) => verifyChecksum(address) !== 'invalid', {
        error: 'has a typing error: its checksum does not match',
      })
      .refine((address) => !isBurnAddress(address), { error: 'must not be a burn address' }),
  ).meta({
    isPassedInLiveMode: true,
    description:
      'wallet that receives payments. Without it, or without an RPC URL of its network, paid routes respond with 503',
  }),
  X402_FACILITATOR_URL: toOptional(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  ).meta({
    isPassedInLiveMode: true,
    defaultText: "CDP's with its keys",
    description: 'facilitator that verifies and settles payments',
  }),
  CDP_API_KEY_ID: optionalText.meta({
    isPassedInLiveMode: true,
    description: 'API key of the Coinbase Developer Platform, for its facilitator; set both variables',
  }),
  CDP_API_KEY_SECRET: optionalText.meta({
    isPassedInLiveMode: true,
    description: 'secret of this API key',
  }),
  RPC_URLS: treatEmptyAsUnset(rpcSettingsSchema.prefault('')),
};

type PaymentVariables = z.output<z.ZodObject<typeof paymentEnvironment>>;

/** Variables for the check of the public URL. Every payment challenge contains the public URL. */
interface SiteVariables {
  readonly BASE_URL?: string | undefined;
  /** Set only in the sandbox. The sandbox needs no public URL. */
  readonly SANDBOX_FILE?: string | undefined;
}

/** Checks that the payment variables do not contradict each other, and that payments have a public URL. */
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
      'must be set together with the other half of the CDP key',
    );
  }
  if (variables.X402_PAY_TO === undefined) return;
  if (variables.BASE_URL === undefined && variables.SANDBOX_FILE === undefined) {
    reject('BASE_URL', 'must be set if X402_PAY_TO is set');
  }
  if (variables.X402_FACILITATOR_URL === undefined && keyId === undefined) {
    reject('X402_FACILITATOR_URL', 'must be set if X402_PAY_TO is set, unless the CDP keys are set');
  }
}

/**
 * Converts environment variables to payment settings. Returns null if the wallet is not set, or if the payment network
 * has no RPC provider.
 */
export function toPaymentConfig(variables: PaymentVariables) {
  const { X402_PAY_TO, CDP_API_KEY_ID: keyId, CDP_API_KEY_SECRET: keySecret } = variables;
  if (X402_PAY_TO === undefined || !variables.RPC_URLS.has(variables.X402_NETWORK)) return null;
  const cdp = keyId === undefined || keySecret === undefined ? null : { keyId, keySecret };
  return {
    /** CAIP-2 id of the network. Buyers pay in the canonical USDC of this network. */
    network: variables.X402_NETWORK,
    payTo: X402_PAY_TO,
    facilitatorUrl: variables.X402_FACILITATOR_URL ?? CDP_FACILITATOR,
    cdp,
    /**
     * RPC URLs by CAIP-2 id of the network. The payment network always has a URL, because the service checks settlements
     * on that network.
     */
    rpcUrls: variables.RPC_URLS,
  };
}
