import type { CallToolResult } from '@modelcontextprotocol/server';
import { isJsonObject } from '@touchstone/common';
import { createCutBody } from './cut-body.ts';
import type { ShortForm } from './short-form.ts';
import type { Members } from './tool-schemas.ts';

/**
 * Maximum size of a tool result as JSON, in bytes of UTF-8. With its JSON-RPC message, a result has at most 20,000 bytes.
 * Clients add each result to the context of a model.
 */
const MAX_RESULT_BYTES = 19_500;

/** Maximum size of a member of a shortened receipt as JSON, in bytes. */
const MAX_RECEIPT_MEMBER_BYTES = 200;

interface FitOptions {
  /** Creates the result from a body and the members of `_meta` with the receipt. */
  readonly create: (body: Members, receipts: Members) => CallToolResult;
  /** Members of `_meta` with the receipt of the payment. */
  readonly receipts: Members;
  readonly listShortForms: (body: Members) => readonly ShortForm[];
  /** Returns the sentence on how to get the whole body. */
  readonly locateWhole: () => Promise<string>;
}

/**
 * Creates a tool result of at most `MAX_RESULT_BYTES`. A body that does not fit is replaced by its first short form that
 * fits. If none fits, the longest lists of the last short form are cut. A receipt that leaves no space for a body is
 * shortened, and then left out. The member `truncated` says what was changed, and how to get the whole body.
 */
export async function createFittingResult(
  body: Members,
  { create, receipts, listShortForms, locateWhole }: FitOptions,
): Promise<CallToolResult> {
  const whole = create(body, receipts);
  if (countExcess(whole) <= 0) return whole;
  const forms = listShortForms(body);
  const sentence = await locateWhole();
  const variants = [
    { kept: receipts, notes: [] },
    { kept: shortenReceipts(receipts), notes: ['The receipt in `_meta` is shortened.'] },
    { kept: {}, notes: ['The receipt in `_meta` is left out.'] },
  ];
  let empty: CallToolResult | null = null;
  for (const { kept, notes } of variants) {
    const createShort = (short: Members, changes: readonly string[]): CallToolResult =>
      create({ truncated: [...notes, ...changes, sentence].join(' '), ...short }, kept);
    const { result, isEmpty } = fitForms(forms, createShort);
    if (result !== null && !isEmpty) return result;
    empty ??= result;
  }
  return empty ?? create({ truncated: sentence }, {});
}

const countExcess = (result: CallToolResult): number =>
  Buffer.byteLength(JSON.stringify(result)) - MAX_RESULT_BYTES;

type CreateShort = (body: Members, changes: readonly string[]) => CallToolResult;

interface Fitted {
  /** Result that fits; null if there is none. */
  readonly result: CallToolResult | null;
  /** True if nothing of the body remains. */
  readonly isEmpty: boolean;
}

function fitForms(forms: readonly ShortForm[], create: CreateShort): Fitted {
  for (const { body, notes } of forms) {
    const result = create(body, notes);
    if (countExcess(result) <= 0) return { result, isEmpty: false };
  }
  const last = forms.at(-1);
  return last === undefined ? { result: null, isEmpty: true } : cutForm(last, create);
}

function cutForm({ body, notes, newestLast, finish = (cut) => cut }: ShortForm, create: CreateShort): Fitted {
  const short = createCutBody(body, newestLast);
  for (;;) {
    const result = create(finish(short.body), [...notes, ...short.describe()]);
    const excess = countExcess(result);
    if (excess <= 0) return { result, isEmpty: Object.keys(short.body).length === 0 };
    if (!short.cut(excess)) return { result: null, isEmpty: true };
  }
}

function shortenReceipts(receipts: Members): Members {
  return Object.fromEntries(
    Object.entries(receipts).map(([name, receipt]) => [
      name,
      isJsonObject(receipt) ? removeLongMembers(receipt) : null,
    ]),
  );
}

function removeLongMembers(members: Members): Members {
  const isKept = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= MAX_RECEIPT_MEMBER_BYTES;
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isKept(value)));
}
