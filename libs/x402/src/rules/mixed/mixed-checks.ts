import { findMisnamedHeader } from '../../challenge/misnamed-header.ts';
import { isV1Name } from '../../networks/networks.ts';
import { toAmountText, toAssetKey, findContradictions, toPayeeKey } from '../offered-options.ts';
import { matchesRequest, parseUrl } from '../../urls/resource-url.ts';
import { checkEachEntry, passIf, type Outcome, type RuleInput } from '../rule.ts';
import { quote } from '../../json/clean-text.ts';
import type { PaymentOption } from '../../types.ts';

export function checkV1InHeader({ header }: RuleInput): Outcome {
  if (header.state !== 'read') return 'skip';
  return passIf(header.envelope.version !== 1, 'The PAYMENT-REQUIRED header contains a version 1 envelope.');
}

/**
 * Checks that a version 2 envelope in the body is also in the PAYMENT-REQUIRED header. Skips an unreadable or misnamed
 * header, because other rules report it.
 */
export function checkV2InBodyOnly(input: RuleInput): Outcome {
  const { header, body } = input;
  if (body.state !== 'read' || body.envelope.version !== 2) return 'skip';
  if (header.state === 'unreadable' || findMisnamedHeader(input) !== undefined) return 'skip';
  const isInHeader = header.state === 'read' && header.envelope.version !== 1;
  return passIf(isInHeader, 'The version 2 envelope is only in the body, where clients do not read it.');
}

/** Checks that a version 2 envelope in the body has the same payment requirements as the header. */
export function checkBodyMirror({ header, v2, body }: RuleInput): Outcome {
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
export function checkV1Names({ v2 }: RuleInput): Outcome {
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

/** Checks that header and body agree on a value, such as the payee, for each asset that both offer. */
function checkSame(
  { v2, v1 }: RuleInput,
  getValue: (option: PaymentOption) => string | null,
  formatMessage: (one: PaymentOption, other: PaymentOption) => string,
): Outcome {
  const contradictions = findContradictions(v2?.options ?? [], v1?.options ?? [], getValue);
  if (contradictions === null) return 'skip';
  const [pair, ...more] = contradictions;
  if (pair === undefined) return 'pass';
  const others = more.length === 0 ? '' : ` (and ${String(more.length)} more)`;
  return {
    message: `${formatMessage(pair.one, pair.other)} for the same asset on ${quote(pair.one.network)}${others}.`,
  };
}

export function checkSamePayee(input: RuleInput): Outcome {
  return checkSame(
    input,
    toPayeeKey,
    (one, other) =>
      `The header requests payment to ${quote(one.payTo)} and the body to ${quote(other.payTo)},`,
  );
}

export function checkSameAmount(input: RuleInput): Outcome {
  return checkSame(
    input,
    toAmountText,
    (one, other) =>
      `The header requests ${String(one.amount)} atomic units and the body ${String(other.amount)},`,
  );
}

/**
 * Returns true when an option in the header and an option in the body have the same value. Either of them may have
 * additional options. Returns null when the header or the body has no options.
 */
function shareValue({ v2, v1 }: RuleInput, getValue: (option: PaymentOption) => string): boolean | null {
  if (v2 === null || v1 === null || v2.options.length === 0 || v1.options.length === 0) return null;
  const offered = new Set(v2.options.map(getValue));
  return v1.options.some((option) => offered.has(getValue(option)));
}

export function checkSharedNetwork(input: RuleInput): Outcome {
  const shared = shareValue(input, ({ network }) => network);
  return shared === null ? 'skip' : passIf(shared, 'Header and body have no network in common.');
}

/**
 * Checks that header and body have an asset in common. If they have no network in common, their assets always differ,
 * so only the rule `dual-network` reports that.
 */
export function checkSharedAsset(input: RuleInput): Outcome {
  if (shareValue(input, ({ network }) => network) !== true) return 'skip';
  return passIf(
    shareValue(input, toAssetKey) === true,
    'Header and body have a network in common, but no asset on it.',
  );
}

export function checkSameResource({ v2, v1 }: RuleInput): Outcome {
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
