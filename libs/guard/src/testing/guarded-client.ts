import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import { x402Client, type SelectPaymentRequirements } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { type Decision, PaymentRefusedError } from '../decision/decision.ts';
import { createGuard } from '../guard.ts';
import type { GuardOptions } from '../guard-options.ts';
import { startSeller, type Terms } from './seller.ts';
import { KEYS, startTouchstone, type Answer } from './touchstone.ts';

/** Published test key. It signs payments of test tokens only. */
const ACCOUNT = privateKeyToAccount(`0x${'01'.repeat(32)}`);

export interface Setup {
  readonly offers?: readonly Terms[];
  readonly answer?: (url: URL) => Answer;
  readonly options?: Partial<GuardOptions>;
  /** Selects the offer that the client pays. */
  readonly select?: SelectPaymentRequirements;
}

/** Starts a service and a seller, and creates a guard and an x402 client that counts its signatures. */
export async function setUp({ offers, answer, options, select }: Setup = {}) {
  const touchstone = await startTouchstone(answer);
  const seller = await startSeller(offers);
  const decisions: Decision[] = [];
  let signatures = 0;
  const signer = {
    address: ACCOUNT.address,
    signTypedData: (...message: Parameters<typeof ACCOUNT.signTypedData>) => {
      signatures += 1;
      return ACCOUNT.signTypedData(...message);
    },
  };
  const client = new x402Client(select)
    .register('eip155:8453', new ExactEvmScheme(signer))
    .registerV1('base', new ExactEvmSchemeV1(signer));
  const guard = createGuard({
    ...{ service: touchstone.url, keys: KEYS.published.keys },
    onDecision: (decision) => decisions.push(decision),
    ...options,
  });
  return { touchstone, seller, guard, client, signer, decisions, countSignatures: () => signatures };
}

/** Returns the reason codes of a refused payment, or the status of a response, whose body is read. */
export async function refuse(request: Promise<{ status: number }>): Promise<string> {
  return request.then(
    async (response) => {
      if (response instanceof Response) await response.arrayBuffer();
      return `status ${response.status}`;
    },
    (error: unknown) => {
      if (!(error instanceof PaymentRefusedError)) throw error;
      return error.decision.reasons.map(({ code }) => code).join(' ');
    },
  );
}
