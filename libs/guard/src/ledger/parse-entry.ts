import { isJsonObject, parseDecimal, parseJson } from '@touchstone/common';
import { ACTIONS } from '../decision/policy.ts';
import { parseHttpUrl } from '../payment-terms.ts';
import { type JournalEntry, PAYMENT_STATES } from './journal.ts';

type Check = (value: unknown) => boolean;
type Kind = JournalEntry['kind'];
type MembersOf<K extends Kind> = Exclude<keyof Extract<JournalEntry, { readonly kind: K }>, 'kind' | 'at'>;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isDecimal: Check = (value) => typeof value === 'string' && parseDecimal(value) !== null;
const isUrl: Check = (value) => typeof value === 'string' && parseHttpUrl(value) !== null;
const isAction: Check = (value) => ACTIONS.some((action) => action === value);
const isState: Check = (value) => PAYMENT_STATES.some((state) => state === value);
const isReason: Check = (value) =>
  isJsonObject(value) && isText(value['code']) && isText(value['message']) && isAction(value['action']);
const isReasons: Check = (value) => Array.isArray(value) && value.every(isReason);

function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

const TERMS = {
  ...{
    request: orNull(isText),
    method: isText,
    resource: isUrl,
    scheme: isText,
    network: isText,
    asset: isText,
  },
  ...{ payTo: isText, amount: isText, amountUsd: orNull(isDecimal), action: isAction, reasons: isReasons },
};

const MEMBERS: { readonly [K in Kind]: Readonly<Record<MembersOf<K>, Check>> } = {
  refusal: TERMS,
  payment: {
    ...TERMS,
    ...{ id: isText, signedAmount: isText, signedUsd: orNull(isDecimal), payer: orNull(isText) },
    ...{
      nonce: orNull(isText),
      validBefore: orNull(isTime),
      endpoint: orNull(isText),
      isUnknownHost: isFlag,
    },
    ...{ header: isText, challenge: orNull(isText) },
  },
  resend: { id: isText },
  response: {
    ...{
      id: isText,
      httpStatus: orNull(Number.isInteger),
      delivered: orNull(isFlag),
      transaction: orNull(isText),
    },
  },
  status: { id: isText, state: isState, transaction: orNull(isText) },
  report: { id: isText },
  carried: { signedUsd: isDecimal },
};

/** Parses one line of a journal. Returns null for text that is not an entry. */
export function parseEntry(line: string): JournalEntry | null {
  const value = parseJson(line);
  if (!isJsonObject(value) || !isTime(value['at']) || !isKind(value['kind'])) return null;
  const isEntry = Object.entries(MEMBERS[value['kind']]).every(([name, check]) => check(value[name]));
  // Every member of the kind was checked.
  return isEntry ? (value as unknown as JournalEntry) : null;
}

function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && Object.hasOwn(MEMBERS, value);
}
