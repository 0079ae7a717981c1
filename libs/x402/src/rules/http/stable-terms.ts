import { isJsonObject } from '@touchstone/common';
import { cleanText, quoteNames } from '../../json/untrusted-json.ts';
import { findOfferedEnvelope, findOfferedOptions, normalizeId } from '../offered-options.ts';
import type { Outcome, SecondResponse, RuleInput } from '../rule.ts';
import type { Json, PaymentOption } from '../../types.ts';

const MAX_DESCRIPTION_CHARS = 2_000;
const DYNAMIC_PRICE_WORD = /\b(dynamic|dynamically|variable|varies|floating)\b/i;

/**
 * Pattern for names of `extra` members whose value changes with every request. Names are matched in lower case without
 * `-` and `_`. The reference server ignores three of these names when it compares payment requirements. Source:
 * @x402/svm 2.27, `dynamicExtraFields`.
 */
const PER_REQUEST_MEMBER = new RegExp(
  [
    '(nonce|memo|salt|uuid|blockhash|blockheight|slot|timestamp|deadline|expiry|expires|expiration)$',
    '(request|quote|session|challenge|invoice|order|payment|trace|correlation)id$',
    '(issued|created|updated|generated|quoted|expires)at$',
    'valid(until|after|before)$',
    '^(exp|iat|nbf|ts|time|now)$',
  ].join('|'),
);

type Options = readonly PaymentOption[];

/**
 * Checks that two unpaid requests get the same payment requirements. The server builds the requirements again for the
 * paid request, and rejects a payment for requirements that have changed. The severity is lower for a price that is
 * dynamic by design: the description mentions such a price, or every option uses the scheme `upto`. The severity is
 * also lower if only `extra` members other than the EIP-712 domain differ.
 */
export function checkTermsStable(input: RuleInput): Outcome {
  const { status, secondResponse } = input;
  const first = findOfferedOptions(input);
  // Clients read payment requirements only from a 402 response. The rule `http-status-402` reports other statuses.
  if (secondResponse === null || first.length === 0 || status !== 402) return 'skip';
  if (secondResponse.status !== 402) return checkSecondStatus(secondResponse.status);
  const version = findOfferedEnvelope(input)?.version ?? null;
  if (secondResponse.version !== null && secondResponse.version !== version) {
    return {
      message: `Two unpaid requests in a row got different versions: first version ${String(version)}, then version ${String(secondResponse.version)}.`,
    };
  }
  // A proxy may have sent a second response without payment requirements, so such a response is not compared.
  return secondResponse.options.length === 0 ? 'skip' : compareTerms(input, first, secondResponse);
}

/**
 * Fails when the second unpaid request succeeded. Skips other statuses, because a rate limit or an occasional server
 * error may cause them.
 */
function checkSecondStatus(status: number): Outcome {
  if (status < 200 || status >= 300) return 'skip';
  return {
    message: `The second of two unpaid requests got status ${String(status)} without a payment challenge.`,
  };
}

function compareTerms(input: RuleInput, first: Options, { options: second }: SecondResponse): Outcome {
  if (!haveSameKeys(first, second, toFixedTermsKey)) {
    return {
      message: 'Two unpaid requests in a row got payment requirements that differ in more than the amount.',
    };
  }
  const onEvm = findChangedMembers(first.filter(isOnEvm), second.filter(isOnEvm));
  if (onEvm.has('name') || onEvm.has('version')) {
    return { message: 'Two unpaid requests in a row got different EIP-712 domains to sign with.' };
  }
  if (haveSameKeys(first, second, toTermsKey)) return compareExtra(first, second);
  const message = 'Two unpaid requests in a row got different amounts.';
  return hasDynamicPrice(input, first) ? { message, severity: 'info' } : { message };
}

function compareExtra(first: Options, second: Options): Outcome {
  const names = [...findChangedMembers(first, second)];
  if (names.length === 0) return 'pass';
  return {
    message: `Two unpaid requests in a row got different values in extra: ${quoteNames(names)}.`,
    severity: 'info',
  };
}

function toFixedTermsKey({ scheme, network, asset, payTo, maxTimeoutSeconds }: PaymentOption): string {
  return JSON.stringify([scheme, network, normalizeId(asset), normalizeId(payTo), maxTimeoutSeconds]);
}

function toTermsKey(option: PaymentOption): string {
  return `${toFixedTermsKey(option)} ${String(option.amount)}`;
}

/** Returns true when both lists of options give the same keys, in any order. */
function haveSameKeys(ones: Options, others: Options, toKey: (option: PaymentOption) => string): boolean {
  return JSON.stringify(ones.map(toKey).toSorted()) === JSON.stringify(others.map(toKey).toSorted());
}

function isOnEvm({ network }: PaymentOption): boolean {
  return network.startsWith('eip155:');
}

/**
 * Returns the names of `extra` members whose values differ between the two lists of options. Options are compared if
 * they agree in scheme, network, asset, payee and timeout. Each value counts +1 in the first list and −1 in the second,
 * so the work is linear in the number of members.
 */
function findChangedMembers(ones: Options, others: Options): ReadonlySet<string> {
  const counts = new Map<string, { readonly name: string; balance: number }>();
  const count = (option: PaymentOption, step: 1 | -1): void => {
    const terms = toFixedTermsKey(option);
    for (const [name, value] of selectStableMembers(option.extra)) {
      const key = JSON.stringify([terms, name, value], toStableJson);
      const entry = counts.get(key) ?? { name, balance: 0 };
      entry.balance += step;
      counts.set(key, entry);
    }
  };
  for (const option of ones) count(option, 1);
  for (const option of others) count(option, -1);
  return new Set([...counts.values()].flatMap(({ name, balance }) => (balance === 0 ? [] : [name])));
}

function selectStableMembers(json: Json): [string, unknown][] {
  return isJsonObject(json) ? Object.entries(json).filter(([name]) => !isPerRequestMember(name)) : [];
}

/** JSON.stringify replacer that sorts object members and removes members that change with every request. */
function toStableJson(_: string, value: Json): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(selectStableMembers(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function isPerRequestMember(name: string): boolean {
  return PER_REQUEST_MEMBER.test(name.replaceAll(/[-_]/g, '').toLowerCase());
}

function hasDynamicPrice({ v2, v1 }: RuleInput, options: Options): boolean {
  const described = [v2?.resource?.description, ...(v1?.entries ?? []).map((entry) => entry?.description)];
  return (
    options.every(({ scheme }) => scheme === 'upto') ||
    described.some((text) => DYNAMIC_PRICE_WORD.test(cleanText(text, MAX_DESCRIPTION_CHARS) ?? ''))
  );
}
