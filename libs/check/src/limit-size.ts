import type { CheckFacts } from './create-check.ts';
import { cutText } from './cut-text.ts';

/** Maximum size of the facts of a check as JSON, in bytes. Usual checks have less than 10,000. */
const MAX_FACTS_BYTES = 30_000;
const MAX_SHORT_TEXT_CHARS = 300;

/** Changes that shorten a check, in this order: first what a seller needs least. */
const REDUCTIONS: readonly ((facts: CheckFacts) => CheckFacts)[] = [
  (facts) => ({ ...facts, faults: facts.faults.map(quoteErrorsOnly), options: facts.options.slice(0, 4) }),
  (facts) => ({ ...facts, response: null, extensionResponses: null, notes: facts.notes.slice(0, 4) }),
  (facts) => ({
    ...facts,
    faults: facts.faults.slice(0, 20).map(shorten),
    clients: facts.clients.slice(0, 4),
  }),
];

/** Shortens a check to `MAX_FACTS_BYTES`, and says so in a note. A check within this size stays unchanged. */
export function limitSize(facts: CheckFacts): CheckFacts {
  let limited = facts;
  for (const reduce of REDUCTIONS) {
    if (measure(limited) <= MAX_FACTS_BYTES) break;
    limited = reduce(limited);
  }
  return limited === facts ? facts : { ...limited, notes: [...limited.notes, SHORTENED] };
}

const SHORTENED = 'The response is long, so this result leaves out some quotations, options or faults.';

const measure = (facts: CheckFacts): number => new TextEncoder().encode(JSON.stringify(facts)).length;

type Fault = CheckFacts['faults'][number];

const quoteErrorsOnly = (fault: Fault): Fault =>
  fault.severity === 'error' ? fault : { ...fault, evidence: null };

const shorten = (fault: Fault): Fault => ({
  ...fault,
  message: cutText(fault.message, MAX_SHORT_TEXT_CHARS),
  evidence: null,
});
