import { DAY_MS } from '@touchstone/common';
import { ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAlerts, type Alert, type AlertSubject } from './to-snapshot.ts';

const FLAGGED_AT = 4_000;
const LISTED = {
  ...({ templated: false, listingStatus: 'listed', delistedAt: null } as const),
  firstSeenAt: FLAGGED_AT - DAY_MS,
};
const UP = { downSince: null, lastCountedAt: 5_000 };
const MEASURED = { probes: { up: 40 } };

const flagged = (...slugs: readonly string[]) => ({
  flags: slugs.map((slug) => ({ slug, since: FLAGGED_AT })),
});

const toIso = (time: number) => new Date(time).toISOString();
const times = fc.integer({ min: 0, max: 1_000 });
const subjects: fc.Arbitrary<AlertSubject> = fc.record({
  endpoint: fc.record({
    templated: fc.boolean(),
    listingStatus: fc.constantFrom<'listed' | 'delisted'>('listed', 'delisted'),
    delistedAt: fc.option(times),
    firstSeenAt: fc.constantFrom(0, -DAY_MS),
  }),
  state: fc.record({ downSince: fc.option(times), lastCountedAt: fc.option(times) }),
  sums: fc.option(fc.record({ probes: fc.record({ up: fc.nat(100) }) })),
});
const verdicts = fc
  .subarray(['payto-changed-recently', 'paid-not-delivered', 'price-spike', 'payto-varies', 'down-now'])
  .map((slugs) => flagged(...slugs));

const toKinds = (alerts: readonly Alert[]) => alerts.map(({ kind }) => kind);

describe('toAlerts', () => {
  it.each([
    ['payto-changed-recently', 'takeover-suspected', toIso(FLAGGED_AT)],
    // Further purchases without delivery cause no new event.
    ['paid-not-delivered', 'paid-not-delivered', null],
    // Further price changes at the high price cause no new event.
    ['price-spike', 'price-spike', null],
  ])('converts the flag %s to the alert %s, but not for a template', (slug, kind, since) => {
    const subject = { endpoint: LISTED, state: UP, sums: MEASURED };
    expect(toAlerts(subject, flagged(slug))).toEqual([{ kind, since, changedAt: toIso(FLAGGED_AT) }]);
    const unknown = { flags: [{ slug, since: null }] };
    expect(toAlerts(subject, unknown)).toEqual([{ kind, since: null, changedAt: null }]);
    const template = { ...subject, endpoint: { ...LISTED, templated: true } };
    expect(toAlerts(template, flagged(slug))).toEqual([]);
  });

  it('reports an outage from the second miss on, and only after a success', () => {
    const readAlerts = (state: AlertSubject['state'], sums: AlertSubject['sums']) =>
      toAlerts({ endpoint: LISTED, state, sums }, flagged());
    const firstMiss = { downSince: 9_000, lastCountedAt: 9_000 };
    const secondMiss = { downSince: 9_000, lastCountedAt: 9_060 };
    expect(readAlerts(firstMiss, MEASURED)).toEqual([]);
    expect(readAlerts(secondMiss, MEASURED)).toEqual([
      { kind: 'outage', since: toIso(9_000), changedAt: toIso(9_000) },
    ]);
    expect(readAlerts(secondMiss, { probes: { up: 0 } })).toEqual([]);
    expect(readAlerts(secondMiss, null)).toEqual([]);
  });

  it('has no start for a changed address among varying addresses, so it is one event', () => {
    const alerts = toAlerts(
      { endpoint: LISTED, state: UP, sums: MEASURED },
      flagged('payto-varies', 'payto-changed-recently'),
    );
    expect(alerts).toEqual([{ kind: 'takeover-suspected', since: null, changedAt: toIso(FLAGGED_AT) }]);
  });

  it('suspects no takeover of an endpoint on its first day', () => {
    const endpoint = { ...LISTED, firstSeenAt: FLAGGED_AT - DAY_MS + 1 };
    const subject = { endpoint, state: UP, sums: MEASURED };
    expect(toAlerts(subject, flagged('payto-changed-recently'))).toEqual([]);
  });

  it('returns each kind at most once, in the order of the contract', () => {
    fc.assert(
      fc.property(subjects, verdicts, (subject, verdict) => {
        const alerts = toKinds(toAlerts(subject, verdict));
        expect(alerts).toEqual(ECOSYSTEM_EVENT_KINDS.filter((kind) => alerts.includes(kind)));
      }),
    );
  });

  it('reports a delisting exactly for delisted endpoints, and nothing about money for templates', () => {
    fc.assert(
      fc.property(subjects, verdicts, (subject, verdict) => {
        const alerts = toKinds(toAlerts(subject, verdict));
        expect(alerts.includes('delisted')).toBe(subject.endpoint.listingStatus === 'delisted');
        const money = alerts.filter((kind) => kind === 'takeover-suspected' || kind === 'price-spike');
        if (subject.endpoint.templated) expect(money).toEqual([]);
        if (subject.state.downSince === null) expect(alerts).not.toContain('outage');
      }),
    );
  });
});
