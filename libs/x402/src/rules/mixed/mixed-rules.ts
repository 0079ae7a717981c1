import { findMisnamedHeader } from '../../challenge/read-header.ts';
import { describeClientSettings } from '../../clients/default-settings.ts';
import { predictPayments, selectClientSettings } from '../../clients/response-payments.ts';
import { checkAssetFormat, checkPayToFormat } from '../../networks/address.ts';
import {
  isCaip2,
  checkCommonAsset,
  checkCommonNetwork,
  checkSameValue,
  toAmountText,
  toAssetKey,
  toPayeeKey,
} from '../offered-options.ts';
import { passIf, type Outcome, type RuleInput, type Rule } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';
import type { PaymentOption } from '../../types.ts';

function checkV1InHeader({ header }: RuleInput): Outcome {
  if (header.state !== 'read') return 'skip';
  return passIf(header.envelope.version !== 1, 'The PAYMENT-REQUIRED header contains a version 1 envelope.');
}

/**
 * Checks that a version 2 envelope in the body is also in the PAYMENT-REQUIRED header. Skips a misnamed header, and a
 * header that is unreadable or contains version 1, because other rules report them.
 */
function checkV2InBodyOnly(input: RuleInput): Outcome {
  const { header, body } = input;
  if (body.state !== 'read' || body.envelope.version !== 2) return 'skip';
  if (header.state === 'unreadable' || findMisnamedHeader(input) !== undefined) return 'skip';
  if (typeof checkV1InHeader(input) === 'object') return 'skip';
  return passIf(
    header.state === 'read',
    'The version 2 envelope is only in the body, where clients do not read it.',
  );
}

/** Checks that a version 2 envelope in the body has the same payment requirements as the header. */
function checkBodyMirror({ header, v2, body }: RuleInput): Outcome {
  if (v2 === null || header.state !== 'read') return 'skip';
  if (body.state !== 'read' || body.envelope.version !== 2) return 'pass';
  if (!Array.isArray(body.envelope.fields.accepts)) return 'pass';
  const [sent, mirror] = [v2, body.envelope].map(({ options }) => options.map(toTermsKey).toSorted());
  return JSON.stringify(sent) === JSON.stringify(mirror)
    ? {
        message: 'The body repeats the envelope of the header; version 2 clients read only the header.',
        severity: 'info',
        axis: 'hygiene',
      }
    : {
        message: 'The body contains a version 2 envelope whose payment requirements differ from the header.',
      };
}

function toTermsKey(option: PaymentOption): string {
  return JSON.stringify([toAssetKey(option), toPayeeKey(option), toAmountText(option)]);
}

type IsComparable = (option: PaymentOption) => boolean;

/** Returns the comparable options of the header and of the body. Other rules report the other options. */
function getOptions({ v2, v1 }: RuleInput, isComparable: IsComparable) {
  return [(v2?.options ?? []).filter(isComparable), (v1?.options ?? []).filter(isComparable)] as const;
}

const hasNetwork: IsComparable = ({ network }) => isCaip2(network);
const hasAsset: IsComparable = ({ network, asset }) =>
  isCaip2(network) && asset !== '' && checkAssetFormat(network, asset) !== 'invalid';
const hasPayee: IsComparable = ({ network, payTo }) => checkPayToFormat(network, payTo) !== 'invalid';

/** Checks that header and body agree on a value, such as the payee, for each asset that both offer. */
function checkSame(
  getValue: (option: PaymentOption) => string | null,
  formatMessage: (one: PaymentOption, other: PaymentOption) => string,
  isComparable: IsComparable = () => true,
): Rule['check'] {
  return (input) =>
    checkSameValue(getOptions(input, isComparable), getValue, ({ one, other }, more) => {
      const others = more === 0 ? '' : ` (and ${String(more)} more)`;
      return `${formatMessage(one, other)}, for the same asset on ${quote(one.network)}${others}.`;
    });
}

/**
 * Checks that at least one client pays with its default settings. An amount over the limit of the client has the
 * severity `info`, because buyers expect to set a limit.
 */
function checkClientSettings(input: RuleInput): Outcome {
  const needed = selectClientSettings(predictPayments(input));
  if (needed === null) return 'skip';
  return passIf(
    needed.length === 0,
    () => describeClientSettings(needed),
    needed.every(({ kind }) => kind === 'amount') ? { severity: 'info' } : {},
  );
}

/** Rules for responses that mix both x402 versions, or x402 with other payment protocols. */
export const MIXED_RULES: readonly Rule[] = [
  {
    id: 'mixed-v1-in-header',
    level: ['payable', 'error'],
    requirement: 'The header contains no version 1 envelope.',
    fix: 'Put a version 2 envelope into the header, and move the version 1 envelope to the body.',
    reference: { source: 'V1_HTTP', clause: 'Payment Required Signaling' },
    check: checkV1InHeader,
  },
  {
    id: 'mixed-v2-in-body-only',
    level: ['payable', 'error'],
    requirement: 'The version 2 envelope is in the header.',
    fix: 'Send the envelope, which is the JSON object with x402Version and accepts, as base64 in the PAYMENT-REQUIRED header. The body may stay as it is.',
    reference: { source: 'V2_HTTP', clause: 'Response Body' },
    check: checkV2InBodyOnly,
  },
  {
    id: 'mixed-v2-body-mirror',
    level: ['payable', 'warning'],
    requirement: 'The body contains no second version 2 envelope.',
    fix: 'Build header and body from the same object, or remove the envelope from the body.',
    reference: { source: 'V2_HTTP', clause: 'Response Body' },
    check: checkBodyMirror,
  },
  {
    id: 'dual-payto',
    level: ['payable', 'error'],
    requirement: 'Header and body name the same payee.',
    fix: 'Build the payment requirements of both versions from one configuration, with one payTo for each asset.',
    check: checkSame(
      toPayeeKey,
      (one, other) =>
        `The header requests payment to ${quote(one.payTo)} and the body to ${quote(other.payTo)}`,
      hasPayee,
    ),
  },
  {
    id: 'dual-amount',
    level: ['payable', 'error'],
    requirement: 'Header and body request the same amount.',
    fix: 'Build the payment requirements of both versions from one configuration, with one price for each asset.',
    check: checkSame(
      toAmountText,
      (one, other) =>
        `The header requests ${String(one.amount)} atomic units and the body ${String(other.amount)}`,
    ),
  },
  {
    id: 'dual-network',
    level: ['hygiene', 'warning'],
    requirement: 'Header and body have a network in common.',
    fix: 'In both versions, offer at least one network that both versions support.',
    check: (input) =>
      checkCommonNetwork(getOptions(input, hasNetwork), 'Header and body have no network in common.'),
  },
  {
    id: 'dual-asset',
    level: ['hygiene', 'warning'],
    requirement: 'Header and body have an asset in common.',
    fix: 'In both versions, offer the same asset on the common network.',
    check: (input) =>
      checkCommonAsset(
        getOptions(input, hasAsset),
        'Header and body have a network in common, but no asset on it.',
      ),
  },
  {
    id: 'client-settings',
    level: ['payable', 'warning'],
    requirement: 'Clients with default settings pay the challenge.',
    fix: 'For an amount alone, no action is needed: buyers set a limit. Otherwise, also offer an option in USDC with the scheme exact.',
    reference: { source: 'V2_CLIENT', clause: 'selectPaymentRequirements, spendControls' },
    check: checkClientSettings,
  },
  {
    id: 'dialect-other',
    level: ['hygiene', 'info'],
    requirement: 'The response requests payment only by x402.',
    fix: 'With a valid x402 challenge, no change is needed. Without one, add it for buyers who pay by x402.',
    appliesToEveryResponse: true,
    check: ({ noResponseReason, dialects }) =>
      noResponseReason === null
        ? passIf(
            dialects.length === 0,
            () => `The response requests payment by protocols other than x402: ${dialects.join(', ')}.`,
          )
        : 'skip',
  },
];
