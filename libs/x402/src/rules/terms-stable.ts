import { isObject } from '../is-object.ts';
import { offeredEnvelope, offeredOptions, plainId } from './offers.ts';
import type { Outcome, SecondAnswer, Subject } from './rule.ts';
import { cleanText, quote } from '../text.ts';
import type { Json, PaymentOption } from '../types.ts';

const DESCRIPTION_LIMIT = 2_000;
const NAMED_MEMBERS = 3;
const SAYS_DYNAMIC = /\b(dynamic|dynamically|variable|varies|floating)\b/i;

/**
 * Ends of the names of members that are made anew for every request, in small letters without `-` and `_`. Three of
 * them are what the reference server leaves out when it compares. Source: @x402/svm 2.25, `dynamicExtraFields`.
 */
const MADE_ANEW = new RegExp(
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
 * Are two unpaid requests asked for the same? A server builds its terms again for the paid request and refuses
 * a payment made for other ones. An amount that changes by design weighs less: where the description says so, or
 * every option is a ceiling only. So does what `extra` says beside the domain that is signed.
 */
export function checkTermsStable(subject: Subject): Outcome {
  const { status, again } = subject;
  const first = offeredOptions(subject);
  // Terms under another status are offered to nobody, which is another rule's finding.
  if (again === null || first.length === 0 || status !== 402) return 'skip';
  if (again.status !== 402) return judgeStatus(again.status);
  const version = offeredEnvelope(subject)?.version ?? null;
  if (again.version !== null && again.version !== version) {
    return {
      message: `Of two unpaid requests in a row, the first was offered terms of version ${String(version)}, the second of version ${String(again.version)}.`,
    };
  }
  // A second answer without terms may be an intermediary's; it is no change of terms.
  return again.options.length === 0 ? 'skip' : judgeTerms(subject, first, again);
}

/** Any status but success may be the rate limit's, or a server's that fails now and then. */
function judgeStatus(status: number): Outcome {
  if (status < 200 || status >= 300) return 'skip';
  return {
    message: `Of two unpaid requests in a row, the second was answered with status ${String(status)} and asked for no payment.`,
  };
}

function judgeTerms(subject: Subject, first: Options, { options: again }: SecondAnswer): Outcome {
  if (!isSame(first, again, fixedTermsOf)) {
    return {
      message: 'Two unpaid requests in a row were offered different terms, and not only different amounts.',
    };
  }
  const onEvm = changedMembers(first.filter(isOnEvm), again.filter(isOnEvm));
  if (onEvm.has('name') || onEvm.has('version')) {
    return { message: 'Two unpaid requests in a row were given different EIP-712 domains to sign under.' };
  }
  if (isSame(first, again, termsOf)) return judgeExtra(first, again);
  const message = 'Two unpaid requests in a row were asked different amounts.';
  return isByDesign(subject, first) ? { message, severity: 'info' } : { message };
}

function judgeExtra(first: Options, again: Options): Outcome {
  const names = [...changedMembers(first, again)];
  if (names.length === 0) return 'pass';
  const named = names.slice(0, NAMED_MEMBERS).map(quote).join(', ');
  const more = names.length > NAMED_MEMBERS ? ` and ${String(names.length - NAMED_MEMBERS)} more` : '';
  return {
    message: `Two unpaid requests in a row were given extra with different members: ${named}${more}.`,
    severity: 'info',
  };
}

function fixedTermsOf({ scheme, network, asset, payTo, maxTimeoutSeconds }: PaymentOption): string {
  return JSON.stringify([scheme, network, plainId(asset), plainId(payTo), maxTimeoutSeconds]);
}

function termsOf(option: PaymentOption): string {
  return `${fixedTermsOf(option)} ${String(option.amount)}`;
}

/** The same options, as often, in any order. */
function isSame(ones: Options, others: Options, keyOf: (option: PaymentOption) => string): boolean {
  return JSON.stringify(ones.map(keyOf).toSorted()) === JSON.stringify(others.map(keyOf).toSorted());
}

function isOnEvm({ network }: PaymentOption): boolean {
  return network.startsWith('eip155:');
}

/**
 * Names of the members of `extra` that options of the same terms do not have alike on both sides. Counted up on
 * one side and down on the other, so that the work grows with the number of members only.
 */
function changedMembers(ones: Options, others: Options): ReadonlySet<string> {
  const counts = new Map<string, { readonly name: string; balance: number }>();
  const count = (option: PaymentOption, step: 1 | -1): void => {
    const terms = fixedTermsOf(option);
    for (const [name, value] of lastingMembers(option.extra)) {
      const key = JSON.stringify([terms, name, value], withoutMadeAnew);
      const entry = counts.get(key) ?? { name, balance: 0 };
      entry.balance += step;
      counts.set(key, entry);
    }
  };
  for (const option of ones) count(option, 1);
  for (const option of others) count(option, -1);
  return new Set([...counts.values()].flatMap(({ name, balance }) => (balance === 0 ? [] : [name])));
}

function lastingMembers(json: Json): [string, unknown][] {
  return isObject(json) ? Object.entries(json).filter(([name]) => !isMadeAnew(name)) : [];
}

/** For JSON.stringify: objects in one order of members, and without those that are made anew. */
function withoutMadeAnew(_: string, value: Json): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(lastingMembers(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function isMadeAnew(name: string): boolean {
  return MADE_ANEW.test(name.replaceAll(/[-_]/g, '').toLowerCase());
}

function isByDesign({ v2, v1 }: Subject, options: Options): boolean {
  const described = [
    v2?.resource?.description,
    ...(v1?.entries ?? []).map((entry) => entry?.fields.description),
  ];
  return (
    options.every(({ scheme }) => scheme === 'upto') ||
    described.some((text) => SAYS_DYNAMIC.test(cleanText(text, DESCRIPTION_LIMIT) ?? ''))
  );
}
