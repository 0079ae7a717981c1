import { misnamedHeader } from '../misnamed-header.ts';
import { isV1Name } from '../networks.ts';
import { amountOf, assetOf, findContradictions, payeeOf } from './offers.ts';
import { namesRequest, parseUrl } from '../resource-url.ts';
import { eachEntry, expect, type Outcome, type Subject } from './rule.ts';
import { quote } from '../text.ts';
import type { PaymentOption } from '../types.ts';

export function checkV1InHeader({ header }: Subject): Outcome {
  if (header.state !== 'read') return 'skip';
  return expect(header.envelope.version !== 1, 'The PAYMENT-REQUIRED header holds a version 1 envelope.');
}

/** A header that cannot be read, or has another name, is an attempt at the right place: its own rules judge it. */
export function checkV2InBodyOnly(subject: Subject): Outcome {
  const { header, body } = subject;
  if (body.state !== 'read' || body.envelope.version !== 2) return 'skip';
  if (header.state === 'unreadable' || misnamedHeader(subject) !== undefined) return 'skip';
  const isInHeader = header.state === 'read' && header.envelope.version !== 1;
  return expect(isInHeader, 'A version 2 envelope is in the body only, where no client looks for it.');
}

/** Whoever reads the body in place of the header must not be asked for something else. */
export function checkBodyMirror({ header, v2, body }: Subject): Outcome {
  if (v2 === null || header.state !== 'read') return 'skip';
  if (body.state !== 'read' || body.envelope.version !== 2) return 'pass';
  if (!Array.isArray(body.envelope.fields.accepts)) return 'pass';
  const [sent, mirror] = [v2, body.envelope].map(({ options }) => options.map(termsOf).toSorted());
  return JSON.stringify(sent) === JSON.stringify(mirror)
    ? {
        message: 'The body repeats the envelope of the header; clients of version 2 read the header.',
        severity: 'info',
        axis: 'hygiene',
      }
    : {
        message: 'The body holds a version 2 envelope that asks for other terms than the header.',
      };
}

function termsOf(option: PaymentOption): string {
  return JSON.stringify([assetOf(option), payeeOf(option), amountOf(option)]);
}

/** Options of version 1 under the number 2: every one of them has the older network name or amount. */
export function checkV1Names({ v2 }: Subject): Outcome {
  const marks = (v2?.entries ?? []).flatMap((entry) => {
    if (entry === null) return [];
    const { network, amount, maxAmountRequired } = entry.fields;
    const isNamed = typeof network === 'string' && isV1Name(network);
    return [isNamed || (amount === undefined && maxAmountRequired !== undefined)];
  });
  if (marks.length === 0) return 'skip';
  const message =
    'The envelope says version 2, and all its options are written as in version 1: by network name, or with maxAmountRequired.';
  return expect(marks.includes(false), message);
}

/** Where header and body offer the same asset, they have to say the same of it. */
function checkSame(
  { v2, v1 }: Subject,
  valueOf: (option: PaymentOption) => string | null,
  messageOf: (one: PaymentOption, other: PaymentOption) => string,
): Outcome {
  const contradictions = findContradictions(v2?.options ?? [], v1?.options ?? [], valueOf);
  if (contradictions === null) return 'skip';
  const [pair, ...more] = contradictions;
  if (pair === undefined) return 'pass';
  const others = more.length === 0 ? '' : ` (and ${String(more.length)} more)`;
  return {
    message: `${messageOf(pair.one, pair.other)} for the same asset on ${quote(pair.one.network)}${others}.`,
  };
}

export function checkSamePayee(subject: Subject): Outcome {
  return checkSame(
    subject,
    payeeOf,
    (one, other) => `The header has ${quote(one.payTo)} paid, the body ${quote(other.payTo)},`,
  );
}

export function checkSameAmount(subject: Subject): Outcome {
  return checkSame(
    subject,
    amountOf,
    (one, other) => `The header asks ${String(one.amount)}, the body ${String(other.amount)} atomic units,`,
  );
}

/** A seller may offer more in one version than in the other; only offers that share nothing contradict each other. */
function sharesAny({ v2, v1 }: Subject, valueOf: (option: PaymentOption) => string): boolean | null {
  if (v2 === null || v1 === null || v2.options.length === 0 || v1.options.length === 0) return null;
  const offered = new Set(v2.options.map(valueOf));
  return v1.options.some((option) => offered.has(valueOf(option)));
}

export function checkSharedNetwork(subject: Subject): Outcome {
  const shared = sharesAny(subject, ({ network }) => network);
  return shared === null ? 'skip' : expect(shared, 'Header and body have no network in common.');
}

/** Without a network in common the assets differ by necessity, and that is the other rule's finding. */
export function checkSharedAsset(subject: Subject): Outcome {
  if (sharesAny(subject, ({ network }) => network) !== true) return 'skip';
  return expect(sharesAny(subject, assetOf) === true, 'Header and body share a network and no asset on it.');
}

export function checkSameResource({ v2, v1 }: Subject): Outcome {
  const header = parseUrl(v2?.resource?.url);
  if (v2 === null || header === null) return 'skip';
  return eachEntry(v1, ({ fields: { resource } }) => {
    const body = parseUrl(resource);
    if (body === null) return 'skip';
    const message = (): string => `The header sells ${quote(v2.resource?.url)}, the body ${quote(resource)}.`;
    return expect(namesRequest(body, header, v2.routeTemplate), message);
  });
}
