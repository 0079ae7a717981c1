import { formatEventId, type Preview, SCHEMAS, type Tool } from '@touchstone/contract';
import type { z } from 'zod';
import { shortenBulk } from './short-bulk.ts';
import type { ShortForm } from './short-form.ts';
import { shortenHistory } from './short-history.ts';
import type { Members } from './tool-schemas.ts';

type SchemaName = keyof typeof SCHEMAS;
type Body<Name extends SchemaName> = z.output<(typeof SCHEMAS)[Name]['schema']>;

/** Short forms of the bodies that can be too long, by the name of the schema of the body. */
const SHORT_FORMS: { readonly [Name in SchemaName]?: (body: Body<Name>) => readonly ShortForm[] } = {
  'x402-trust': shortenReport,
  'x402-trust-bulk': shortenBulk,
  'x402-history': shortenHistory,
  'x402-check': shortenCheck,
  'x402-trust-preview': shortenPreview,
  'semantic-search': shortenSearch,
  'watch-events': shortenEvents,
};

/**
 * Returns the short forms of the body of a result, the longest first. A body without a short form is returned unchanged,
 * and so is a body that does not match its schema, such as the body of a newer service.
 */
export function listShortForms({ operations }: Tool, body: Members): readonly ShortForm[] {
  const name = operations[0]?.response.published?.name as SchemaName | undefined;
  const shorten = name === undefined ? undefined : SHORT_FORMS[name];
  const parsed = name === undefined ? undefined : SCHEMAS[name].schema.safeParse(body);
  if (shorten === undefined || parsed?.success !== true) {
    return [{ body, notes: 'signature' in body ? [SIGNATURE_NOTE] : [] }];
  }
  // The function and the parsed body belong to the same schema.
  return (shorten as (parsed: unknown) => readonly ShortForm[])(parsed.data);
}

/** Keeps a report as it is. If its list of changes is cut, the list keeps the newest changes. */
function shortenReport(body: Body<'x402-trust'>): readonly ShortForm[] {
  const hasPassed = body.compliance?.passedChecks !== undefined;
  const notes = [
    SIGNATURE_NOTE,
    ...(hasPassed ? ['Without `detail`, the report has no list of the passed checks.'] : []),
  ];
  return [{ body, newestLast: /^stats\.changes\.events$/, notes }];
}

const SIGNATURE_NOTE = '`signature` covers only the whole body.';

/**
 * Shortens a preview: the first sample is complete. The other samples have all but the longest members of a report, or the
 * members that explain a recommendation.
 */
function shortenPreview({ samples, ...body }: Preview): readonly ShortForm[] {
  const createForm = (shorten: (report: Report) => Members, note: string): ShortForm => ({
    body: {
      ...body,
      samples: samples.slice(0, 1),
      sampleParts: samples.slice(1).map(({ report, ...sample }) => ({ ...sample, ...shorten(report) })),
    },
    notes: [
      `\`samples\` has only the first sample. \`sampleParts\` has the other reports ${note}.`,
      // The text on untrusted members names the members of the published schema.
      'Text of providers in `sampleParts` is untrusted, as in `samples`.',
    ],
  });
  return [
    createForm(removeLongMembers, 'without `components`, `compliance`, `stats` and `signature`'),
    createForm(selectReasons, 'with the members that explain their recommendation'),
  ];
}

type Report = Preview['samples'][number]['report'];

function removeLongMembers(report: Report): Members {
  const removed = new Set(['components', 'compliance', 'stats', 'signature']);
  return Object.fromEntries(Object.entries(report).filter(([name]) => !removed.has(name)));
}

function selectReasons(report: Report): Members {
  const { resource, endpointPage, score, grade, recommendation, reasons, confidence, breakdown } = report;
  const flags = Object.keys(report.flags);
  return { resource, endpointPage, score, grade, recommendation, reasons, confidence, breakdown, flags };
}

/** Removes the members of a check that repeat the response, and then the quotations beside the faults. */
function shortenCheck(check: Body<'x402-check'>): readonly ShortForm[] {
  const removedMembers = new Set(['response', 'options', 'passed']);
  const body = Object.fromEntries(Object.entries(check).filter(([name]) => !removedMembers.has(name)));
  const removed = 'This result has no `response`, `options` and `passed`';
  const faults = check.faults.map((fault) => ({ ...fault, evidence: null }));
  return [
    { body, notes: [`${removed}.`] },
    { body: { ...body, faults }, notes: [`${removed}, and no \`evidence\` of faults.`] },
  ];
}

const MAX_DESCRIPTION_CHARS = 100;

/** Shortens the descriptions of the matches. The free summary of an endpoint has its whole description. */
function shortenSearch({ matches, ...body }: Body<'semantic-search'>): readonly ShortForm[] {
  const short = matches.map(({ description, ...match }) => {
    const characters = [...(description ?? '')];
    const isLong = characters.length > MAX_DESCRIPTION_CHARS;
    const text = isLong ? `${characters.slice(0, MAX_DESCRIPTION_CHARS).join('')}…` : description;
    return { ...match, ...(text === undefined ? {} : { description: text }) };
  });
  const note = `Each \`description\` has at most ${String(MAX_DESCRIPTION_CHARS)} characters. x402_summary returns the whole description.`;
  return [{ body: { ...body, matches: short }, notes: [note] }];
}

/** Sets the cursors of a page of events behind the last event that was kept, so that the next call has the others. */
function shortenEvents(page: Body<'watch-events'>): readonly ShortForm[] {
  const toCursor = (all: readonly LoggedEvent[], kept: number, end: string): string => {
    const next = all[kept];
    if (next === undefined) return end;
    return all[kept - 1]?.event_id ?? formatEventId(page.watch_id, next.data.sequence - 1);
  };
  const finish = (cut: Members): Members => {
    const [events, watchEvents] = [countElements(cut['events']), countElements(cut['watch_events'])];
    const isCut = events < page.events.length || watchEvents < page.watch_events.length;
    return {
      ...cut,
      next_cursor: toCursor(page.events, events, page.next_cursor),
      watch_events_cursor: toCursor(page.watch_events, watchEvents, page.watch_events_cursor),
      has_more: page.has_more || isCut,
    };
  };
  return [{ body: page, finish, notes: ['Call the tool again with both cursors to get the other events.'] }];
}

interface LoggedEvent {
  readonly event_id: string;
  readonly data: { readonly sequence: number };
}

const countElements = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
