import type { History } from '@touchstone/contract';
import { type ShortForm, toLine } from './short-form.ts';

/**
 * Shortens a history to one line for each day, and one line for each probe. The second form has one line for consecutive
 * probes with the same result.
 */
export function shortenHistory({ probes, daily, purchases, ...history }: History): readonly ShortForm[] {
  const body = {
    ...{ ...history, dailyColumns: DAILY_COLUMNS, dailyLines: daily.map(formatDay) },
    purchaseColumns: PURCHASE_COLUMNS,
    purchaseLines: purchases.slice(-MAX_PURCHASES).map(formatPurchase),
  };
  const newestLast = /^(snapshots|dailyLines|probeLines|probeRunLines)$/;
  if (probes.length === 0) return [{ newestLast, body, notes: [DAILY_NOTE] }];
  const isHourly = history.probesResolution === 'hourly';
  return [
    {
      newestLast,
      body: {
        ...body,
        probeColumns: `at,${RESULT_COLUMNS},latencyMs${isHourly ? ',probes,up' : ''}`,
        probeLines: probes.map((probe) => formatProbe(probe, isHourly)),
      },
      notes: [DAILY_NOTE, 'Each of `probeLines` is one line of CSV for an element of `probes`.'],
    },
    {
      newestLast,
      body: {
        ...body,
        probeRunColumns: `from,to,probes,up,${RESULT_COLUMNS},latencyMsMin,latencyMsMax`,
        probeRunLines: groupProbes(probes).map(formatRun),
      },
      notes: [
        DAILY_NOTE,
        'Each of `probeRunLines` is one line of CSV for consecutive probes with the same result.',
      ],
    },
  ];
}

const DAILY_COLUMNS = 'day,probes,scored,up,latencyMsP50,latencyMsP95,score';
const DAILY_NOTE =
  'Each of `dailyLines` is one line of CSV for a day, each of `purchaseLines` for a test purchase.';

/** Maximum number of test purchases, the newest ones. */
const MAX_PURCHASES = 10;
const PURCHASE_COLUMNS = 'at,outcome,amountUsd,httpStatus,bodyBytes,totalMs,id';

function formatPurchase({ at, outcome, amountUsd, ...purchase }: History['purchases'][number]): string {
  const { httpStatus, bodyBytes, totalMs, id } = purchase;
  return toLine([toMinute(at), outcome, amountUsd, httpStatus, bodyBytes, totalMs, id]);
}

/** Values by which two probes have the same result. */
const RESULT_COLUMNS = 'outcome,httpStatus,error,compliant,amountUsd';

const formatDay = ({
  day,
  probes,
  scored,
  up,
  latencyMsP50,
  latencyMsP95,
  score,
}: History['daily'][number]): string => toLine([day, probes, scored, up, latencyMsP50, latencyMsP95, score]);

type Probe = History['probes'][number];
/** Consecutive probes with the same result. */
type Run = readonly [Probe, ...Probe[]];

const formatResult = ({ outcome, httpStatus, error, compliant, amountUsd }: Probe): string =>
  toLine([outcome, httpStatus, error, compliant, amountUsd]);

function formatProbe(probe: Probe, isHourly: boolean): string {
  const { at, latencyMs, probes, up } = probe;
  const values = [`${at.slice(0, 19)}Z`, formatResult(probe), latencyMs];
  return toLine([...values, ...(isHourly ? [probes, up] : [])]);
}

function groupProbes(probes: readonly Probe[]): Run[] {
  const runs: [Probe, ...Probe[]][] = [];
  for (const probe of probes) {
    const last = runs.at(-1);
    if (last !== undefined && formatResult(last[0]) === formatResult(probe)) last.push(probe);
    else runs.push([probe]);
  }
  return runs;
}

function formatRun(run: Run): string {
  const [first] = run;
  const sum = (count: (probe: Probe) => number): number =>
    run.reduce((total, probe) => total + count(probe), 0);
  const latencies = run.flatMap(({ latencyMs }) => latencyMs ?? []);
  return toLine([
    toMinute(first.at),
    toMinute(run.at(-1)?.at ?? first.at),
    sum(({ probes = 1 }) => probes),
    sum(({ up, error }) => up ?? (error === null ? 1 : 0)),
    formatResult(first),
    ...(latencies.length === 0 ? ['', ''] : [Math.min(...latencies), Math.max(...latencies)]),
  ]);
}

/** Shortens a time to minutes, such as 2026-06-01T00:00Z. */
const toMinute = (at: string): string => `${at.slice(0, 16)}Z`;
