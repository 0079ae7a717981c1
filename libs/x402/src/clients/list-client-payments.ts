import { parseEnvelope, type Entry, type Envelope } from '../challenge/envelope.ts';
import { cleanText } from '../json/untrusted-json.ts';
import { toCaip2 } from '../networks/networks.ts';
import { readEnvelopes, selectParts, toRuleInput } from '../read-challenge.ts';
import type { RuleInput } from '../rules/rule.ts';
import type { ChallengeResponse } from '../types.ts';
import type { PaymentPrediction } from './payment-prediction.ts';
import { isSettled, predictPayments } from './response-payments.ts';

/** Prediction for one reference client: that of a protocol version, with the options of one scheme and network. */
export interface ClientPayment {
  readonly version: 1 | 2;
  /** Scheme as advertised; null when the client of this version reads no option. */
  readonly scheme: string | null;
  /** CAIP-2 id where it is known, otherwise as advertised; null when the client of this version reads no option. */
  readonly network: string | null;
  readonly signs: boolean;
  /** True if the client signs, and nothing in the response prevents the payment from settling. */
  readonly arrives: boolean;
  /** Reason why the client signs no payment, or why the payment does not arrive; null without a reason. */
  readonly reason: string | null;
  /** Changes of settings that the client needs, as imperative clauses. */
  readonly settings: readonly string[];
}

/** Maximum number of combinations of scheme and network that are predicted for one version. */
const MAX_COMBINATIONS = 10;
const MAX_NAME_LENGTH = 100;

/**
 * Predicts for each combination of scheme and network if the reference client of each version would pay it, and if the
 * payment would arrive. A fault of one option can stop the client of the whole list; then its reason is in every row.
 *
 * @returns at most 10 predictions for each version, those of version 2 first
 */
export function listClientPayments(response: ChallengeResponse): readonly ClientPayment[] {
  const parts = selectParts(response);
  const input = toRuleInput(parts, readEnvelopes(parts), {});
  const whole = predictPayments(input);
  return ([2, 1] as const).flatMap((version): ClientPayment[] => {
    const prediction = version === 1 ? whole.v1 : whole.v2;
    const groups = groupEntries(findReadEnvelope(input, version)).slice(0, MAX_COMBINATIONS);
    if (groups.length === 0) return [{ version, scheme: null, network: null, ...toResult(prediction) }];
    return groups.map(({ scheme, network, entries }) => {
      const alone = predictPayments(selectEntries(input, entries));
      const single = version === 1 ? alone.v1 : alone.v2;
      // If the client refuses the whole list, but would pay this option alone, another option stops the client.
      const result = prediction.refusal !== null && single.refusal === null ? prediction : single;
      return { version, scheme, network, ...toResult(result) };
    });
  });
}

function toResult(prediction: PaymentPrediction) {
  const { refusal, settlementFailure, settings } = prediction;
  return {
    signs: refusal === null,
    arrives: isSettled(prediction),
    reason: refusal ?? settlementFailure,
    settings: settings.map(({ setting }) => setting),
  };
}

/** Returns the envelope from which the client of a version reads its options; null when there is none. */
function findReadEnvelope({ header, body, v1 }: RuleInput, version: 1 | 2): Envelope | null {
  if (version === 1) return body.state === 'read' && body.envelope.version !== 2 ? body.envelope : null;
  if (header.state === 'read') return header.envelope;
  return header.state === 'absent' ? v1 : null;
}

interface Group {
  readonly scheme: string;
  readonly network: string;
  readonly entries: ReadonlySet<Entry>;
}

/** Groups the options of an envelope by scheme and network. Leaves out entries without a readable network. */
function groupEntries(envelope: Envelope | null): readonly Group[] {
  const groups = new Map<string, Group & { readonly entries: Set<Entry> }>();
  for (const entry of envelope?.entries ?? []) {
    const network = cleanText(entry?.network, MAX_NAME_LENGTH);
    if (entry === null || network === null) continue;
    const names = { scheme: cleanText(entry.scheme, MAX_NAME_LENGTH) ?? '', network: toCaip2(network) };
    const key = JSON.stringify(names);
    const group = groups.get(key) ?? { ...names, entries: new Set() };
    group.entries.add(entry);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns a response whose envelopes have only the given options. */
function selectEntries(input: RuleInput, kept: ReadonlySet<Entry>): RuleInput {
  const select = (envelope: Envelope): Envelope => {
    const accepts = envelope.entries.filter((entry) => entry !== null && kept.has(entry));
    return accepts.length === 0 ? envelope : (parseEnvelope({ ...envelope.fields, accepts }) ?? envelope);
  };
  const { header, body, v1, v2 } = input;
  return {
    ...input,
    header: header.state === 'read' ? { ...header, envelope: select(header.envelope) } : header,
    body: body.state === 'read' ? { ...body, envelope: select(body.envelope) } : body,
    v1: v1 && select(v1),
    v2: v2 && select(v2),
  };
}
