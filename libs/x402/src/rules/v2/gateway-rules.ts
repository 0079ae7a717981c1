import { describeOwnDomain, hasOwnDomain, isForGateway } from '../../challenge/own-domain.ts';
import type { EntryFields, Envelope } from '../../challenge/envelope.ts';
import { isOnEvm } from '../offered-options.ts';
import { checkEachV2Option, checkV2Envelope, passIf, type Outcome, type Rule } from '../rule.ts';
import { isDefaultAsset } from './asset-payee-rules.ts';

/** Minimum validity of a payment at Circle Gateway, in seconds: seven days. */
const MIN_GATEWAY_SECONDS = 604_800;

/** Returns true for an option that clients with an EVM wallet and default settings can select. */
function isSelectable(fields: EntryFields): boolean {
  const flow = fields.extra?.paymentFlow ?? 'authorization';
  return fields.scheme === 'exact' && isOnEvm(fields) && flow === 'authorization' && isDefaultAsset(fields);
}

/** Checks that clients select an option without a domain of its own: they take the first option that they can pay. */
function checkOrder({ entries }: Envelope): Outcome {
  const selectable = entries.flatMap((entry) => (entry && isSelectable(entry.fields) ? [entry.fields] : []));
  const [first] = selectable;
  const [withOwnDomain, plain] = [true, false].map((isOwn) =>
    selectable.find((fields) => hasOwnDomain(fields, fields.network) === isOwn),
  );
  if (first === undefined || withOwnDomain === undefined) return 'skip';
  const choice = plain === undefined ? '' : 'Clients select the first option of accepts that they can pay. ';
  return passIf(first === plain, () => `${choice}${describeOwnDomain(first)}.`);
}

function checkValidity(fields: EntryFields): Outcome {
  const { maxTimeoutSeconds } = fields;
  if (!isForGateway(fields) || typeof maxTimeoutSeconds !== 'number') return 'skip';
  return passIf(
    maxTimeoutSeconds >= MIN_GATEWAY_SECONDS,
    () =>
      `maxTimeoutSeconds is ${String(maxTimeoutSeconds)}; Circle Gateway rejects payments that are valid for less than ${String(MIN_GATEWAY_SECONDS)} seconds (7 days).`,
  );
}

/** Rules for version 2 options whose payments are signed for another contract than the token, as for Circle Gateway. */
export const V2_GATEWAY_RULES: readonly Rule[] = [
  {
    id: 'v2-own-domain-order',
    level: ['payable', 'error'],
    requirement:
      'An option that clients sign for its token comes before options for Circle Gateway and the like.',
    fix: 'Put an option with the EIP-712 domain of the token first, for all other buyers. Keep the option for Circle Gateway after it, unchanged.',
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
