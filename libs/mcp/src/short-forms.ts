import { type Bulk, type History, type Preview, SCHEMAS, type Tool } from '@touchstone/contract';
import type { z } from 'zod';
import type { Members } from './tool-schemas.ts';

/** Body of a result in a form that needs less context of a model. */
export interface ShortForm {
  readonly body: Members;
  /** Sentences that say how the short form differs from the body. */
  readonly notes: readonly string[];
  /** Pattern of the paths of the lists whose newest element is the last. They keep their end when they are cut. */
  readonly newestLast?: RegExp;
  /** Adapts the body after its lists were cut. */
  readonly finish?: (cut: Members) => Members;
}

type SchemaName = keyof typeof SCHEMAS;
type Body<Name extends SchemaName> = z.output<(typeof SCHEMAS)[Name]['schema']>;

/** Short forms of the bodies that can be too long, by the name of the schema of the body. */
const SHORT_FORMS: { readonly [Name in SchemaName]?: (body: Body<Name>) => ShortForm } = {
  'x402-trust': shortenReport,
  'x402-trust-bulk': shortenBulk,
  'x402-history': shortenHistory,
  'x402-trust-preview': shortenPreview,
  'semantic-search': shortenSearch,
  'watch-events': shortenEvents,
};

/**
 * Returns the short forms of the body of a result, the longest first. A body without a short form is returned unchanged,
 * and so is a body that does not match its schema, such as the body of a newer service.
 */
export function listShortForms({ operations }: Tool, body: Members): readonly [ShortForm, ...ShortForm[]] {
  const name = operations[0]?.response.published?.name as SchemaName | undefined;
  const shorten = name === undefined ? undefined : SHORT_FORMS[name];
  const parsed = name === undefined ? undefined : SCHEMAS[name].schema.safeParse(body);
  if (shorten === undefined || parsed?.success !== true) {
    return [{ body, notes: 'signature' in body ? [SIGNATURE_NOTE] : [] }];
  }
  // The function and the parsed body belong to the same schema.
  return [(shorten as (parsed: unknown) => ShortForm)(parsed.data)];
}

/** Keeps a report as it is. If its list of changes is cut, the list keeps the newest changes. */
function shortenReport(body: Body<'x402-trust'>): ShortForm {
  return { body, newestLast: /^stats\.changes\.events$/, notes: [SIGNATURE_NOTE] };
}

const SIGNATURE_NOTE = '`signature` covers only the whole body.';

type Value = string | number | boolean | null | undefined;

/** Creates one line of CSV. No value of the lines contains a comma. */
const toLine = (values: readonly Value[]): string => values.map((value) => String(value ?? '')).join(',');

/**
 * Shortens bulk scores to one line for each endpoint. 500 lines always fit: a URL is replaced by its number in the
 * request, and each error flag by a letter.
 */
function shortenBulk({ results, ...body }: Bulk): ShortForm {
  const slugs = [...new Set(results.flatMap(({ error_flags: flags }) => flags ?? []))].sort();
  const letters = new Map(slugs.map((slug, at) => [slug, String.fromCodePoint(A + at)]));
  const lines = results.map((result, at) => formatScore(result, at + 1, letters));
  return {
    body: {
      ...body,
      error_flags: Object.fromEntries([...letters].map(([slug, letter]) => [letter, slug])),
      columns: 'n,score,grade,recommendation,confidence,error_flags',
      results: lines,
    },
    notes: [
      'Each of `results` is one line of CSV: n is the number of the URL in your `resources`, from 1, and each letter of its last value is an error flag.',
      'x402_summary returns the page and the times of one endpoint.',
    ],
  };
}

const A = 97;

function formatScore(
  {
    found,
    score,
    grade,
    recommendation,
    confidence,
    error_flags: flags,
    schemeVariant,
  }: Bulk['results'][number],
  number: number,
  letters: ReadonlyMap<string, string>,
): string {
  if (found) {
    const codes = flags
      ?.map((slug) => letters.get(slug))
      .toSorted()
      .join('');
    return toLine([number, score, grade, recommendation, confidence, codes]);
  }
  return toLine([
    number,
    schemeVariant === null ? 'unknown' : `known as ${schemeVariant.split(':')[0] ?? ''}`,
  ]);
}

/** Shortens a history: one line for each day, and one line for consecutive probes with the same result. */
function shortenHistory({ probes, daily, ...body }: History): ShortForm {
  const days = daily.map(({ day, probes: count, scored, up, latencyMsP50, latencyMsP95, score }) =>
    toLine([day, count, scored, up, latencyMsP50, latencyMsP95, score]),
  );
  const runs = groupProbes(probes);
  return {
    newestLast: /^(snapshots|daily|probes)$/,
    body: {
      ...body,
      dailyColumns: 'day,probes,scored,up,latencyMsP50,latencyMsP95,score',
      daily: days,
      ...(probes.length === 0
        ? {}
        : {
            probesColumns:
              'from,to,probes,up,outcome,httpStatus,error,compliant,amountUsd,latencyMsMin,latencyMsMax',
            probes: runs.map(formatRun),
          }),
    },
    notes: [
      'Each of `daily` is one line of CSV.',
      ...(probes.length === 0
        ? []
        : ['Each of `probes` is one line of CSV for consecutive probes with the same result.']),
    ],
  };
}

type Probe = History['probes'][number];
/** Consecutive probes with the same result. */
type Run = readonly [Probe, ...Probe[]];

const toResultKey = ({ outcome, httpStatus, error, compliant, amountUsd }: Probe): string =>
  toLine([outcome, httpStatus, error, compliant, amountUsd]);

function groupProbes(probes: readonly Probe[]): Run[] {
  const runs: [Probe, ...Probe[]][] = [];
  for (const probe of probes) {
    const last = runs.at(-1);
    if (last !== undefined && toResultKey(last[0]) === toResultKey(probe)) last.push(probe);
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
    toResultKey(first),
    ...(latencies.length === 0 ? ['', ''] : [Math.min(...latencies), Math.max(...latencies)]),
  ]);
}

/** Shortens a time to minutes, such as 2026-06-01T00:00Z. */
const toMinute = (at: string): string => `${at.slice(0, 16)}Z`;

/** Shortens a preview: the first report is complete, and the others have the members that explain a recommendation. */
function shortenPreview({ samples, ...body }: Preview): ShortForm {
  const short = samples.map(({ report, ...sample }, at) => {
    const { resource, endpointPage, score, grade, recommendation, reasons, confidence, breakdown } = report;
    const flags = Object.keys(report.flags);
    const part = {
      resource,
      endpointPage,
      score,
      grade,
      recommendation,
      reasons,
      confidence,
      breakdown,
      flags,
    };
    return { ...sample, report: at === 0 ? report : part };
  });
  return {
    body: { ...body, samples: short },
    notes: ['The first of `samples` has the complete report, and the others have a part of it.'],
  };
}

const MAX_DESCRIPTION_CHARS = 100;

/** Shortens the descriptions of the matches. The free summary of an endpoint has its whole description. */
function shortenSearch({ matches, ...body }: Body<'semantic-search'>): ShortForm {
  const short = matches.map(({ description, ...match }) => {
    const characters = [...(description ?? '')];
    const isLong = characters.length > MAX_DESCRIPTION_CHARS;
    const text = isLong ? `${characters.slice(0, MAX_DESCRIPTION_CHARS).join('')}…` : description;
    return { ...match, ...(text === undefined ? {} : { description: text }) };
  });
  return {
    body: { ...body, matches: short },
    notes: [
      `Each \`description\` has at most ${String(MAX_DESCRIPTION_CHARS)} characters. x402_summary returns the whole description.`,
    ],
  };
}

/** Sets the cursors of a page of events behind the last event that was kept, so that the next call has the others. */
function shortenEvents(page: Body<'watch-events'>): ShortForm {
  const toCursor = (all: readonly { readonly event_id: string }[], kept: number, end: string): string =>
    kept === all.length ? end : (all[Math.max(0, kept - 1)]?.event_id ?? end);
  return {
    body: page,
    notes: ['Call the tool again with both cursors to get the other events.'],
    finish: (cut) => {
      const [events, watchEvents] = [countElements(cut['events']), countElements(cut['watch_events'])];
      const isCut = events < page.events.length || watchEvents < page.watch_events.length;
      return {
        ...cut,
        next_cursor: toCursor(page.events, events, page.next_cursor),
        watch_events_cursor: toCursor(page.watch_events, watchEvents, page.watch_events_cursor),
        has_more: page.has_more || isCut,
      };
    },
  };
}

const countElements = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
