import type { Envelope } from '../envelope.ts';
import { expect, onV1, type Outcome, type Rule, type Subject } from './rule.ts';
import { quote } from '../text.ts';
import { parsesInV1Client } from '../clients/v1-entry.ts';

function checkBodyJson({ header, body, v1, headers }: Subject): Outcome {
  if (v1 !== null) return 'pass';
  const type = (headers.get('content-type') ?? []).join().toLowerCase();
  // Beside a header the body is free; without one, a body that calls itself JSON was meant to be the envelope.
  if (header.state !== 'absent' || body.state !== 'unreadable' || !type.includes('json')) return 'skip';
  // Of a body longer than is read nothing can be said.
  if (body.fault === 'too-long') return 'skip';
  return {
    message: 'The body is declared as JSON and is no JSON object, so no envelope can be read from it.',
  };
}

/** Entries that cannot be parsed are counted up to this many: a body has room for tens of thousands of them. */
const COUNTED = 64;

/** The client parses the whole list, beyond what is read of it here. */
function checkAllParse({ fields: { accepts } }: Envelope): Outcome {
  if (!Array.isArray(accepts) || accepts.length === 0) return 'skip';
  let bad = 0;
  for (const entry of accepts) {
    if (!parsesInV1Client(entry)) bad += 1;
    if (bad > COUNTED) break;
  }
  const count = bad > COUNTED ? `more than ${String(COUNTED)}` : String(bad);
  const share = `${count} of ${String(accepts.length)} options`;
  return expect(bad === 0, () => `Version 1 clients cannot parse ${share}, so they pay none.`);
}

/** Rules on a version 1 body; all are skipped when the body attempts none. */
export const V1_RULES: readonly Rule[] = [
  {
    id: 'v1-body-json',
    axis: 'payable',
    severity: 'error',
    holds: 'A body meant as the envelope is a JSON object.',
    fix: 'Answer with the envelope as one valid JSON object.',
    reference: { source: 'V1_HTTP', clause: 'Payment Required Signaling' },
    check: checkBodyJson,
  },
  {
    id: 'v1-version',
    axis: 'payable',
    severity: 'error',
    holds: 'x402Version is the number 1.',
    fix: 'Set x402Version of the body to the number 1.',
    reference: { source: 'V1', clause: '5.1.2, x402Version' },
    check: onV1(({ fields: { x402Version } }) =>
      expect(x402Version === 1, () => `x402Version is ${quote(x402Version)}; it must be the number 1.`),
    ),
  },
  {
    id: 'v1-error',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'error is absent or text.',
    fix: 'Set error to a sentence that says why payment is asked for.',
    reference: { source: 'V1', clause: '5.1.2, error' },
    check: onV1(({ fields: { error } }) =>
      expect(
        error === undefined || typeof error === 'string',
        () => `error is ${quote(error)}; it must be text.`,
      ),
    ),
  },
  {
    id: 'v1-accepts-nonempty',
    axis: 'payable',
    severity: 'error',
    holds: 'accepts offers a way to pay.',
    fix: 'Set accepts to a list with at least one way to pay.',
    reference: { source: 'V1', clause: '5.1.2, accepts' },
    check: onV1(({ entries }) =>
      expect(entries.length > 0, 'accepts is no list or an empty one: nothing can be paid.'),
    ),
  },
  {
    id: 'v1-all-entries-parse',
    axis: 'payable',
    severity: 'error',
    holds: 'Version 1 clients can parse every option.',
    fix: 'Give every option all members version 1 clients ask for, or leave it out: one bad option breaks all.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: onV1(checkAllParse),
  },
];
