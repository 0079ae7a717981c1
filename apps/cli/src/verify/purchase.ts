import { formatMs, formatUsd } from '@touchstone/common';
import {
  PURCHASE_SCHEMA_TYPE,
  type PurchaseRecord,
  purchaseRecordSchema,
} from '@touchstone/contract/operations/purchase/schemas';
import type { PurchaseFailure, PurchaseOutcome } from '@touchstone/contract';
import { hasExample, judgeOutcome } from '@touchstone/delivery/judge-outcome';
import { readMember } from '@touchstone/x402/json';
import { type TextStyle, toPlainJson, toPlainText, wrap } from '../terminal/text.ts';
import { checkSignature, isForged, type KeyRing, type SignatureResult } from './check-report.ts';
import {
  createSignatureFinding,
  findKeySource,
  type Finding,
  formatFinding,
  VERDICTS,
} from './format-result.ts';

/** Checked record of a test purchase. */
export interface CheckedPurchase {
  readonly location: string;
  /** Null for a value that does not match the schema; `fault` is then the reason. */
  readonly record: PurchaseRecord | null;
  readonly fault: string | null;
  /** Outcome that follows from the charge and the response in the record; null if none follows. */
  readonly computed: PurchaseOutcome | null;
  readonly signature: SignatureResult;
}

/** Returns true for a value that claims to be the record of a test purchase. */
export function isPurchase(value: unknown): boolean {
  return readMember(value, 'schemaType') === PURCHASE_SCHEMA_TYPE;
}

/**
 * Recomputes the outcome of a test purchase from its charge and its response, and checks the signature.
 *
 * @param keyRing keys for checking the signature; null to check only the outcome
 */
export async function checkPurchase(
  location: string,
  value: unknown,
  keyRing: KeyRing | null,
): Promise<CheckedPurchase> {
  const parsed = purchaseRecordSchema.safeParse(value);
  const [issue] = parsed.error?.issues ?? [];
  const record = parsed.data ?? null;
  return {
    location,
    record,
    fault: issue === undefined ? null : `${issue.path.join('.')}: ${issue.message}`,
    computed: record && computeOutcome(record),
    signature: await checkSignature(value, keyRing),
  };
}

function computeOutcome({
  resource,
  request,
  payment: { charged },
  response,
}: PurchaseRecord): PurchaseOutcome | null {
  if (charged === null) return 'unclear';
  const answer = response && {
    httpStatus: response.status,
    bodyBytes: response.bytes,
    totalMs: response.totalMs,
    failure: response.failure,
    schemaFindings: response.schemaFindings,
  };
  return judgeOutcome({ charged, hasExample: hasExample({ resource, ...request }), answer });
}

/** Returns the exit code for a checked purchase, as for a report. */
export function toPurchaseExitCode({ record, computed, signature }: CheckedPurchase): 0 | 1 | 2 {
  if (isForged(signature) || (record !== null && computed !== record.outcome)) return 1;
  const isAccepted = signature.outcome === 'valid' || signature.outcome === 'not-asked';
  return record !== null && isAccepted ? 0 : 2;
}

/** Formats a checked purchase as one line of `--json`. */
export function formatPurchaseJson(checked: CheckedPurchase): string {
  const { location, record, fault, computed, signature } = checked;
  return toPlainJson({
    place: location,
    verdict: VERDICTS[toPurchaseExitCode(checked)],
    resource: record?.resource ?? null,
    purchase: record?.id ?? null,
    outcome: record?.outcome ?? null,
    computedOutcome: computed,
    fault,
    signature: signature.outcome,
    keyId: record?.signature?.keyId ?? null,
    keysFrom: findKeySource(signature),
    reason: signature.outcome === 'no-keys' ? signature.reason : null,
  });
}

/** Formats the findings on one purchase, after a sentence that says what the record states. */
export function formatPurchase(checked: CheckedPurchase, style: TextStyle): string {
  const { location, record, signature } = checked;
  const heading = record === null ? 'Not a purchase record' : toPlainText(record.resource);
  const findings = [createOutcomeFinding(checked), createSignatureFinding(signature, 'record')];
  const lines = [
    style.paint('bold', heading) + (location === '' ? '' : `  (${toPlainText(location)})`),
    ...(record === null ? [] : wrap(toPlainText(describePurchase(record), 2_000), '', style.width)),
    ...findings.flatMap((finding) => formatFinding(finding, style)),
  ];
  return `${lines.join('\n')}\n`;
}

function createOutcomeFinding({ record, fault, computed }: CheckedPurchase): Finding {
  if (record === null)
    return {
      ...{ color: 'yellow', title: 'Outcome not checked' },
      ...{
        sentence: 'The input does not match the schema of purchase records:',
        details: [toPlainText(fault ?? '')],
      },
    };
  if (computed === record.outcome) {
    const sentence = `${computed} follows from the charge and the response in the record.`;
    return { color: 'green', title: 'Outcome agrees', sentence, details: [] };
  }
  return {
    ...{ color: 'red', title: 'Outcome differs' },
    sentence: `The record states ${record.outcome}, but its charge and its response give ${computed ?? 'no outcome'}.`,
    details: [],
  };
}

/** Says in one sentence what a record states. The name of the buyer is that of the service, as on its pages. */
function describePurchase({ purchasedAt, payment, response }: PurchaseRecord): string {
  const { amountUsd, payTo, network, charged, transaction, nonce } = payment;
  const price = `${formatUsd(amountUsd)} to ${payTo} on ${network}`;
  const paid =
    charged === true
      ? `paid ${price} in transaction ${transaction ?? 'unknown'}`
      : nonce === null
        ? `wanted to pay ${price} and sent nothing`
        : `sent a payment of ${price} that was ${charged === null ? 'perhaps' : 'never'} charged`;
  return `On ${purchasedAt}, Touchstone ${paid}, and ${describeResponse(response)}.`;
}

function describeResponse(response: PurchaseRecord['response']): string {
  if (response === null) return 'no response was recorded';
  const { status, bytes, totalMs, failure, schemaFindings } = response;
  const got =
    status === null ? 'got no response' : `got status ${String(status)} with ${String(bytes ?? 0)} bytes`;
  const duration = totalMs === null ? '' : ` in ${formatMs(totalMs)}`;
  const reason = failure === null ? '' : ` (${FAILURES[failure]})`;
  const [finding] = schemaFindings ?? [];
  return `${got}${duration}${reason}${finding === undefined ? '' : `. ${finding.replace(/\.$/, '')}`}`;
}

const FAILURES: Readonly<Record<PurchaseFailure, string>> = {
  'not-sent': 'no connection',
  closed: 'the connection ended early',
  timeout: 'no whole response within 60 seconds',
  'invalid-response': 'not valid HTTP',
  'too-large': 'only the first MiB was read',
  internal: 'a failure of the buyer',
};
