import { describeOwnDomain, hasOwnDomain, isForGateway } from '../../challenge/own-domain.ts';
import type { Entry, Envelope } from '../../challenge/envelope.ts';
import { selectEvmOption } from '../../clients/v2-payment.ts';
import { checkEachV2Option, checkV2Envelope, passIf, type Outcome, type Rule } from '../rule.ts';

/** Minimum validity of a payment at Circle Gateway, in seconds: seven days. */
const MIN_GATEWAY_SECONDS = 604_800;

/** Checks that clients with an EVM wallet select an option without a domain of its own. */
function checkOrder(envelope: Envelope): Outcome {
  const { entries } = envelope;
  const option = selectEvmOption(envelope);
  if (option === null || !entries.some((entry) => entry && hasOwnDomain(entry, entry.network))) return 'skip';
  const choice =
    entries.length === 1
      ? ''
      : 'Clients select the first option of accepts that they can pay, by default of at most $1. ';
  return passIf(!hasOwnDomain(option, option.caip2), () => `${choice}${describeOwnDomain(option)}.`);
}

function checkValidity(fields: Entry): Outcome {
  const { maxTimeoutSeconds, network, scheme } = fields;
  // Payments with Permit2 or another scheme are not signed for Circle Gateway.
  const isSignedForGateway = isForGateway(fields) && hasOwnDomain(fields, network) && scheme === 'exact';
  if (!isSignedForGateway || typeof maxTimeoutSeconds !== 'number') return 'skip';
  return passIf(
    maxTimeoutSeconds >= MIN_GATEWAY_SECONDS,
    () =>
      `maxTimeoutSeconds is ${String(maxTimeoutSeconds)}; it should be at least ${String(MIN_GATEWAY_SECONDS)} (7 days), the minimum of Circle Gateway.`,
  );
}

/** Rules for version 2 options whose payments are signed for another contract than the token, as for Circle Gateway. */
export const V2_GATEWAY_RULES: readonly Rule[] = [
  {
    id: 'v2-own-domain-order',
    level: ['payable', 'error'],
    requirement:
      'An option that clients sign for its token comes before options for Circle Gateway and the like.',
    fix: 'Put an option of at most $1 with the EIP-712 domain of the token first, for all other buyers. Keep the option for Circle Gateway after it, unchanged.',
    reference: { source: 'V2_CLIENT', clause: 'selectPaymentRequirements' },
    check: checkV2Envelope(checkOrder),
  },
  {
    id: 'v2-gateway-validity',
    level: ['hygiene', 'warning'],
    requirement: 'Every option for Circle Gateway is valid for at least seven days.',
    fix: 'Set maxTimeoutSeconds of the option for Circle Gateway to 604900: seven days, and some time for the request.',
    reference: { source: 'CIRCLE', clause: 'validBefore' },
    check: checkEachV2Option(checkValidity),
  },
];
