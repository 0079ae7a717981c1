import type { CheckFacts } from './create-check.ts';
import { cutText } from './cut-text.ts';

/**
 * Maximum size of the facts of a check as JSON, in bytes. Together with the code, a check then has less than 20 kB, which
 * agents can read in their context.
 */
export const MAX_FACTS_BYTES = 14_000;

/** Changes that shorten a check, in this order: first what a seller needs least. */
const REDUCTIONS: readonly ((facts: CheckFacts) => CheckFacts)[] = [
  (facts) => quoteLess(facts, 600),
  (facts) => ({ ...facts, faults: keepEvidence(facts, ({ severity }) => severity === 'error') }),
  (facts) => ({ ...facts, options: facts.options.slice(0, 4), clients: facts.clients.slice(0, 8) }),
  (facts) => ({
    ...facts,
    faults: shortenFaults(facts, 300),
    notes: facts.notes.map((note) => cutText(note, 300)),
  }),
  (facts) => quoteLess(facts, 200),
  (facts) => ({ ...facts, faults: keepEvidence(facts, () => false) }),
  (facts) => ({ ...facts, faults: facts.faults.slice(0, 12), response: null, extensionResponses: null }),
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

function quoteLess({ response, ...facts }: CheckFacts, limit: number): CheckFacts {
  const cut = (text: string | null): string | null => text && cutText(text, limit);
  return {
    ...facts,
    extensionResponses: cut(facts.extensionResponses),
    response: response && { ...response, terms: cut(response.terms), body: cut(response.body) },
  };
}

function keepEvidence({ faults }: CheckFacts, isKept: (fault: Fault) => boolean): Fault[] {
  return faults.map((fault) => (isKept(fault) ? fault : { ...fault, evidence: null }));
}

function shortenFaults({ faults }: CheckFacts, limit: number): Fault[] {
  return faults.map((fault) => ({
    ...fault,
    message: cutText(fault.message, limit),
    fix: cutText(fault.fix, limit),
  }));
}
