import { findMisnamedHeader } from '../../challenge/read-header.ts';
import { describeClientSettings } from '../../clients/default-settings.ts';
import { predictPayments, selectClientSettings } from '../../clients/response-payments.ts';
import { isV1Name } from '../../networks/networks.ts';
import {
  checkCommonAsset,
  checkCommonNetwork,
  checkSameValue,
  toAmountText,
  toAssetKey,
  toPayeeKey,
} from '../offered-options.ts';
import { matchesRequest, parseUrl } from '../../urls/resource-url.ts';
import { checkEachEntry, passIf, type Outcome, type RuleInput, type Rule } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';
import type { PaymentOption } from '../../types.ts';

function checkV1InHeader({ header }: RuleInput): Outcome {
  if (header.state !== 'read') return 'skip';
  return passIf(header.envelope.version !== 1, 'The PAYMENT-REQUIRED header contains a version 1 envelope.');
}

/**
 * Checks that a version 2 envelope in the body is also in the PAYMENT-REQUIRED header. Skips an unreadable or misnamed
 * header, because other rules report it.
 */
function checkV2InBodyOnly(input: RuleInput): Outcome {
  const { header, body } = input;
  if (body.state !== 'read' || body.envelope.version !== 2) return 'skip';
  if (header.state === 'unreadable' || findMisnamedHeader(input) !== undefined) return 'skip';
  const isInHeader = header.state === 'read' && header.envelope.version !== 1;
  return passIf(isInHeader, 'The version 2 envelope is only in the body, where clients do not read it.');
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

/**
 * Checks that a version 2 envelope contains version 2 options. Fails when every option has a version 1 network name, or
 * `maxAmountRequired` instead of `amount`.
 */
function checkV1Names({ v2 }: RuleInput): Outcome {
  const usesV1Format = (v2?.entries ?? []).flatMap((entry) => {
    if (entry === null) return [];
    const { network, amount, maxAmountRequired } = entry.fields;
    const isNamed = typeof network === 'string' && isV1Name(network);
    return [isNamed || (amount === undefined && maxAmountRequired !== undefined)];
  });
  if (usesV1Format.length === 0) return 'skip';
  const message =
    'The envelope has version 2, but all its options use the version 1 format: a network name or maxAmountRequired.';
  return passIf(usesV1Format.includes(false), message);
}

/** Returns the options of the header and the options of the body. */
function getOptions({ v2, v1 }: RuleInput) {
  return [v2?.options ?? [], v1?.options ?? []] as const;
}

/** Checks that header and body agree on a value, such as the payee, for each asset that both offer. */
function checkSame(
  getValue: (option: PaymentOption) => string | null,
  formatMessage: (one: PaymentOption, other: PaymentOption) => string,
): Rule['check'] {
  return (input) =>
    checkSameValue(getOptions(input), getValue, ({ one, other }, more) => {
      const others = more === 0 ? '' : ` (and ${String(more)} more)`;
      return `${formatMessage(one, other)}, for the same asset on ${quote(one.network)}${others}.`;
    });
}

function checkSameResource({ v2, v1 }: RuleInput): Outcome {
  const header = parseUrl(v2?.resource?.url);
  if (v2 === null || header === null) return 'skip';
  return checkEachEntry(v1, ({ fields: { resource } }) => {
    const body = parseUrl(resource);
    if (body === null) return 'skip';
    const message = (): string =>
      `The header names the resource ${quote(v2.resource?.url)} and the body ${quote(resource)}.`;
    return passIf(matchesRequest(body, header, v2.routeTemplate), message);
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
    fix: 'Send the envelope as base64 in the PAYMENT-REQUIRED header. The body may stay as it is.',
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
    id: 'mixed-v2-with-v1-names',
    level: ['payable', 'error'],
    requirement: 'The options of a version 2 envelope use the version 2 format.',
    fix: 'Use CAIP-2 ids for networks and the member amount for the price, or send the envelope as version 1 in the body.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkV1Names,
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
    check: (input) => checkCommonNetwork(getOptions(input), 'Header and body have no network in common.'),
  },
  {
    id: 'dual-asset',
    level: ['hygiene', 'warning'],
    requirement: 'Header and body have an asset in common.',
    fix: 'In both versions, offer the same asset on the common network.',
    check: (input) =>
      checkCommonAsset(getOptions(input), 'Header and body have a network in common, but no asset on it.'),
  },
  {
    id: 'dual-resource',
    level: ['hygiene', 'warning'],
    requirement: 'Header and body name the same resource.',
    fix: 'Set resource.url of version 2 and resource of version 1 to the same URL.',
    check: checkSameResource,
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
