import { countChallenges, findRecentChanges, isFree } from '../endpoint-state.ts';
import { EXPLANATIONS } from './explanation-sentences.ts';
import {
  type Facts,
  type SentenceRow,
  findLatestChallenge,
  FREE,
  hasLatestFailure,
  hasRules,
  isCause,
  isChange,
  isFailureAt,
  isFreeCount,
  isMinute,
  isPercent,
  isPeriod,
  isScored,
  isTurn,
  isUsd,
  toNumber,
  toTime,
  wasLastPayableAt,
  wasNeverPayable,
  wasNeverUp,
  wasScoredAfter,
  wasUpSince,
} from './sentence-checks.ts';

/** End of a sentence with the failed rules of the latest challenge. */
const RULES = '(?: \\(failed (rules? [^)]+)\\))?';
/** End of a sentence with the reason why the latest challenge cannot be paid. */
const CAUSE = `(?:: ([^(]+?))?${RULES}`;

/**
 * Sentences of reasons. A new sentence of a verdict needs a row here or in `EXPLANATIONS`: the test fails for a sentence
 * without a row. Parts in parentheses and the placeholders `#` and `@` are passed to the check.
 */
const SENTENCES: readonly SentenceRow[] = [
  [
    '[Nn]o successful probe since @(?: \\(latest failure: (.+)\\))?',
    (facts, [at, cause]) =>
      !wasNeverUp(facts) &&
      isTurn(facts, at) &&
      !wasUpSince(facts, toTime(at)) &&
      hasLatestFailure(facts, cause),
  ],
  [
    '[Nn]o probe has ever succeeded, failing since @(?: \\(latest failure: (.+)\\))?',
    (facts, [at, cause]) =>
      wasNeverUp(facts) &&
      facts.probes.some(({ from }) => isMinute(from, at)) &&
      hasLatestFailure(facts, cause),
  ],
  [
    'No probe was scored since @(?:; the latest failure was on @ \\((.+)\\))?',
    (facts, [at, failedAt, cause]) =>
      isMinute(facts.probes.findLast(isScored)?.last, at) &&
      hasLatestFailure(facts, cause) &&
      isFailureAt(facts, failedAt, cause),
  ],
  [
    '(?:The only probe|None of the # probes) of the last 30 days could(?: not)? be scored(?:; the latest failure was on @ \\((.+)\\))?',
    (facts, [total, at, cause]) =>
      facts.inputs.probes.total === toNumber(total ?? '1') &&
      facts.inputs.probes.scored === 0 &&
      hasLatestFailure(facts, cause) &&
      isFailureAt(facts, at, cause),
  ],
  [
    'No scheduled probe was made in the last 30 days(?:; the latest failure was on @ \\((.+)\\))?',
    (facts, [at, cause]) =>
      facts.inputs.probes.total === 0 && hasLatestFailure(facts, cause) && isFailureAt(facts, at, cause),
  ],
  [
    'No probe since @ could be scored \\(latest failure: (.+)\\), so no payable challenge was received',
    (facts, [at, cause]) =>
      hasLatestFailure(facts, cause) && isTurn(facts, at) && !wasScoredAfter(facts, toTime(at)),
  ],
  [
    'Probes (are|were) blocked(?: \\((.+)\\))?: # scored of # probes?, # blocked(?:; none scored since @)?',
    (facts, [verb, cause, scored, total, blocked, since]) => {
      const { probes } = facts.inputs;
      const isCurrent = !wasScoredAfter(facts, toTime(since));
      return (
        probes.scored === toNumber(scored) &&
        probes.total === toNumber(total) &&
        probes.blocked === toNumber(blocked) &&
        hasLatestFailure(facts, cause) &&
        (verb === 'are') === (since !== undefined) &&
        (since === undefined || (isCurrent && isTurn(facts, since)))
      );
    },
  ],
  [
    '# scored of # probes?, # blocked(?:; none scored since @)?',
    (facts, [scored, total, blocked, since]) => {
      const { probes } = facts.inputs;
      return (
        probes.scored === toNumber(scored) &&
        probes.total === toNumber(total) &&
        probes.blocked === toNumber(blocked) &&
        isTurn(facts, since)
      );
    },
  ],
  [
    'No payment challenge was ever payable' + CAUSE,
    (facts, parts) => wasNeverPayable(facts) && isCause(facts, parts),
  ],
  [
    'No payment challenge since @ was payable' + CAUSE,
    (facts, [at, ...parts]) => wasLastPayableAt(facts, at) && isCause(facts, parts),
  ],
  [
    `No payable challenge was (?:ever received|received since @)${FREE}`,
    (facts, [at, free]) =>
      (at === undefined ? wasNeverPayable(facts) : wasLastPayableAt(facts, at)) && isFreeCount(facts, free),
  ],
  [
    'The latest payment challenge, on @, cannot be paid' + CAUSE,
    (facts, [at, ...parts]) =>
      isMinute(findLatestChallenge(facts)?.last, at) &&
      findLatestChallenge(facts)?.finding === 'unpayable' &&
      isCause(facts, parts),
  ],
  [
    `The latest payment challenge, on @, violates the x402 specification${RULES}, but the reference clients sign the payment, which facilitators may reject`,
    (facts, [at, rules]) =>
      isMinute(findLatestChallenge(facts)?.last, at) &&
      findLatestChallenge(facts)?.finding === 'errors' &&
      hasRules(facts, rules),
  ],
  [
    '# of # payment challenges of the last 24 hours could not be paid(, including the latest)?(?:; the latest, on @, could be paid)?' +
      CAUSE,
    (facts, [unpayable, all, included, payableAt, ...parts]) => {
      const { envelopes } = facts.inputs.last24h;
      const latest = findLatestChallenge(facts);
      return (
        envelopes.unpayable === toNumber(unpayable) &&
        countChallenges(envelopes) === toNumber(all) &&
        (included === undefined || latest?.finding === 'unpayable') &&
        (payableAt === undefined
          ? latest?.finding === 'unpayable'
          : latest?.finding !== 'unpayable' && isMinute(latest?.last, payableAt)) &&
        isCause(facts, parts)
      );
    },
  ],
  [
    `# of # payment challenges of the last 24 hours violate the x402 specification, (?:but the reference clients sign the payments, which facilitators may reject|and # could not be paid); the latest is (one|none) of them${RULES}`,
    (facts, [invalid, all, unpayable, which, rules]) => {
      const { envelopes } = facts.inputs.last24h;
      const isFaulty = ['errors', 'unpayable'].includes(findLatestChallenge(facts)?.finding ?? '');
      return (
        envelopes.errors + envelopes.unpayable === toNumber(invalid) &&
        countChallenges(envelopes) === toNumber(all) &&
        envelopes.unpayable === toNumber(unpayable ?? '0') &&
        (which === 'one') === isFaulty &&
        hasRules(facts, rules)
      );
    },
  ],
  [
    'The payTo address changed(?: from (\\S+) to (\\S+))? on @(?:; the endpoint may have been taken over|; confirm with the provider that the new address is its own)?',
    (facts, [before, after, at]) => isChange(facts, [before, after, at]),
  ],
  [
    'The (payTo address|price) changed # times in the last 30 days, last(?: from (\\S+) to (\\S+))? on @',
    (facts, [subject, count, before, after, at]) =>
      findRecentChanges(facts.inputs, subject === 'price' ? 'price_change' : 'payto_change', 30).length ===
        toNumber(count) && isChange(facts, [before, after, at]),
  ],
  ['The payment network or token changed(?: from (\\S+) to (\\S+))? on @', isChange],
  [
    'The price is (\\$[\\d.,]+), at least 10 times its 30-day median of (\\$[\\d.,]+)(?:, since @)?',
    (facts, [price, median, at]) =>
      isUsd(Number(facts.inputs.advertised?.amountUsd), price) &&
      isUsd(Number(facts.inputs.medianPriceUsd30d), median) &&
      (at === undefined || isChange(facts, [undefined, undefined, at])),
  ],
  [
    '(?:Only )?# of # scored probes in the last 30 days succeeded \\(([\\d.]+) %\\)(?:; the latest failure was on @ \\((.+)\\))?',
    (facts, [up, scored, percent, at, cause]) =>
      isPeriod(facts.inputs.probes, [up, scored, percent]) &&
      (cause === undefined || (isFailureAt(facts, at, cause) && !/40[13]|429|redirect/.test(cause))),
  ],
  [
    'Only # of # scored probes in the last (24 hours|7 days) succeeded \\(([\\d.]+) %\\), compared with ([\\d.]+) % in 30 days(?:; the latest failure was on @ \\((.+)\\))?',
    (facts, [up, scored, period, percent, month, at, cause]) => {
      const { probes, last7d, last24h } = facts.inputs;
      return (
        isPeriod(period === '7 days' ? last7d : last24h, [up, scored, percent]) &&
        isPercent(probes.up / probes.scored, month) &&
        (cause === undefined || (isFailureAt(facts, at, cause) && !/40[13]|429|redirect/.test(cause)))
      );
    },
  ],
  [
    '# of # scored probes? succeeded \\(([\\d.]+) %\\)',
    ({ inputs }, parts) => isPeriod(inputs.probes, parts),
  ],
  [
    'The endpoint was first seen on @ and has only # scored probes? in the last 30 days(, and payments on its networks were not all read)?: the confidence, 0\\.\\d\\d of 1, is below 0\\.30',
    ({ inputs, verdict }, [at, scored, unread]) =>
      inputs.probes.scored === toNumber(scored) &&
      isMinute(inputs.firstSeen, at) &&
      verdict.confidence < 0.3 &&
      (unread === undefined || inputs.networksRead !== 1),
  ],
  [
    '(?:Only # probes? (?:was|were)|No probe was) scored in the last 30 days',
    ({ inputs }, [scored]) => inputs.probes.scored === toNumber(scored ?? '0'),
  ],
  [
    'The endpoint returns data without payment and has never sent a payment challenge',
    ({ inputs }) => isFree(inputs) && inputs.last24h.free > 0,
  ],
  [
    'The endpoint returned data without payment in the last 30 days, but not in the last 24 hours, and has never sent a payment challenge',
    ({ inputs }) => isFree(inputs) && inputs.last24h.free === 0,
  ],
  [
    'The endpoint returned data without payment until it went down, and has never sent a payment challenge',
    ({ inputs }) => isFree(inputs) && inputs.downSince !== null,
  ],
  [
    'Score (\\S+) of 100, (?:below (35|65)|with no error and no warning|with no error; warnings: (.+))',
    ({ verdict: { score, flags } }, [value, limit, warnings]) =>
      toNumber(value) === score &&
      (limit === undefined
        ? score >= 65 && (warnings ?? '') === flags.map(({ slug }) => slug).join(', ')
        : score < toNumber(limit)),
  ],
  [
    '(?:The URL is a template, no probe of it was scored in the last 30 days, and it advertises no payment terms|The URL is a template: fill in its placeholders before paying|The URL is a template, so its price and payTo may vary|The URL is a template, and no probe of a filled-in URL was scored)',
    ({ inputs }) => inputs.templated,
  ],
  [
    'The latest payment challenge came from another origin, after a redirect: (\\S+)',
    ({ inputs }, [origin]) => inputs.lastChallenge?.redirect?.target.startsWith(origin ?? '-') === true,
  ],
  [
    'Header and body of the latest challenge, on @, contain different payment terms \\(failed dual-.+\\), so the payment depends on the client',
    ({ inputs: { lastChallenge, lastChallengedAt: last } }, [at]) =>
      lastChallenge?.headerBodyMismatch === true && isMinute(last, at),
  ],
  [
    'This service does not know the payment network(?: ([a-z\\d:]+))?, so it cannot check price or settlements',
    ({ inputs: { advertised } }, [network]) =>
      advertised?.networkKnown === false && (network ?? advertised.network) === advertised.network,
  ],
  [
    'Clients pay this after a change of their default settings|(?:The buyer must|The price is over the default limit of clients:) (.+)',
    ({ inputs: { lastChallenge } }, [settings]) =>
      (lastChallenge?.neededSettings ?? []).some(
        ({ setting }) => settings === undefined || settings.includes(setting),
      ),
  ],
  ['The token.* has no known value in US dollars', ({ inputs }) => inputs.advertised?.amountUsd === null],
];

/** Rows as regular expressions of a whole sentence. */
const ROWS = [...SENTENCES, ...EXPLANATIONS].map(([pattern, check]) => {
  const expression = pattern
    .replaceAll('#', '([\\d,]+)')
    .replaceAll('@', String.raw`(\d{4}-\d\d-\d\d \d\d:\d\d UTC)`);
  return { expression: new RegExp(`^(?:${expression})$`), check };
});

/** Splits a text into its sentences, and a sentence into the parts that have rows of their own. */
function splitSentences(text: string): string[] {
  return text
    .split(/(?<=\.) (?=[A-Z\d])|(?<=below \d\d): |; (?=no successful|no probe has)/)
    .map((part) => part.replace(/\.$/, ''));
}

/** Returns the sentences of a text that have no row, or that are false. */
export function findFalseSentences(text: string, facts: Facts): string[] {
  return splitSentences(text).filter((sentence) => {
    const matches = ROWS.map(({ expression, check }) => ({
      parts: expression.exec(sentence)?.slice(1),
      check,
    }));
    return !matches.some(({ parts, check }) => parts !== undefined && check(facts, parts));
  });
}
