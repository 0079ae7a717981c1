import { formatTokenAmount, formatUsd } from '@touchstone/common';
import {
  WATCH_EVENTS,
  isAlertType,
  type WatchEvent,
  type WatchAlert,
  type WatchedState,
} from '@touchstone/contract';
import { useState } from 'react';
import { type WatchLog, useLog } from './session.tsx';
import { Button } from '../../page-parts/form-parts.tsx';
import { QuerySection, SeverityMark, TimeWithAge } from './watch-parts.tsx';
import { formatNetwork, toPlainText } from '@touchstone/ui';

/** Events of the watch, newest first. */
export function TimelineSection() {
  return (
    <QuerySection id="timeline" title="Timeline" subject="events" query={useLog()}>
      {(log) => <Timeline log={log} />}
    </QuerySection>
  );
}

/** Number of entries that the page shows at first. Each click shows the same number of further entries. */
const PAGE_SIZE = 50;

/** Entries of a log, and an announcement of new entries for screen readers. */
export function Timeline({ log: { entries } }: { readonly log: Pick<WatchLog, 'entries'> }) {
  const [shown, setShown] = useState(PAGE_SIZE);
  const newest = entries[0]?.data.sequence ?? 0;
  const [announced, setAnnounced] = useState({ newest, text: '' });
  if (newest > announced.newest) {
    setAnnounced({ newest, text: formatAnnouncement(entries, announced.newest) });
  }
  const hidden = entries.length - shown;
  return (
    <>
      <p role="status" className="sr-only">
        {announced.text}
      </p>
      {entries.length === 0 ? (
        <p className="mt-4 text-ink-soft">No events yet. The page reads new events every 15 seconds.</p>
      ) : (
        <ol className="mt-4 border-b border-line">
          {entries.slice(0, shown).map((entry) => (
            <TimelineEntry key={entry.event_id} entry={entry} />
          ))}
        </ol>
      )}
      {hidden > 0 ? (
        <p className="mt-4">
          <Button
            onClick={() => {
              setShown(shown + PAGE_SIZE);
            }}
          >
            Show {Math.min(hidden, PAGE_SIZE)} older of {hidden}
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** Maximum number of new entries that an announcement names. */
const MAX_NAMED = 3;

/**
 * Formats the entries that are newer than a sequence number as a sentence for screen readers.
 *
 * @param entries Entries of the log, newest first.
 * @returns an empty text if there are no newer entries
 */
export function formatAnnouncement(entries: readonly WatchEvent[], sequence: number): string {
  const added = entries.filter(({ data }) => data.sequence > sequence);
  if (added.length === 0) return '';
  const named = added
    .slice(0, MAX_NAMED)
    .map(({ type, severity }) => `${WATCH_EVENTS[type].title} (${severity})`);
  const more = added.length - named.length;
  const count = added.length === 1 ? '1 new event' : `${added.length} new events`;
  return `${count}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** One event: severity, title, time and summary; for an alert also the state before and after. */
function TimelineEntry({ entry }: { readonly entry: WatchEvent }) {
  const { type, severity, data } = entry;
  return (
    <li className="grid gap-x-6 gap-y-1 border-t border-line py-4 sm:grid-cols-[7rem_1fr]">
      <div>
        <SeverityMark severity={severity} />
      </div>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <h3 className="text-base font-semibold">{WATCH_EVENTS[type].title}</h3>
        <p className="text-sm text-ink-soft">
          <TimeWithAge iso={entry.observed_at_iso} /> · <span className="font-mono">{type}</span> ·{' '}
          <span className="whitespace-nowrap">no. {data.sequence}</span>
        </p>
        <p className="mt-1">
          <bdi>{toPlainText(data.summary)}</bdi>
        </p>
        {isAlert(entry) ? <Change before={entry.data.before} after={entry.data.after} /> : null}
      </div>
    </li>
  );
}

const isAlert = (entry: WatchEvent): entry is WatchAlert => isAlertType(entry.type);

function Change({ before, after }: Pick<WatchAlert['data'], 'before' | 'after'>) {
  return (
    <dl className="mt-2 grid gap-x-6 gap-y-2 sm:grid-cols-2">
      <div className="min-w-0 border-l-4 border-line bg-panel px-3 py-2">
        <dt className="text-sm font-semibold text-ink-soft">Before</dt>
        <StateText state={before} other={after} />
      </div>
      <div className="min-w-0 border-l-4 border-accent bg-panel px-3 py-2">
        <dt className="text-sm font-semibold text-ink-soft">After</dt>
        <StateText state={after} other={before} />
      </div>
    </dl>
  );
}

type State = NonNullable<WatchedState>;
type Terms = Extract<State, { options: unknown }>;
type Option = Terms['options'][number];

const COMPLIANCE_TEXTS: Readonly<Record<Extract<State, { compliance: unknown }>['compliance'], string>> = {
  pass: 'The challenge follows the specification.',
  warnings: 'The challenge has warnings, and clients can pay.',
  errors: 'The challenge has errors, and some clients cannot pay.',
  unpayable: 'The challenge cannot be paid.',
};

/**
 * State of an endpoint before or after an event, as items of a description list.
 *
 * @param props.other State on the other side of the event. Payment options that both states have are counted, but not
 * listed.
 */
function StateText({ state, other }: { readonly state: WatchedState; readonly other: WatchedState }) {
  if (state === null) return <dd className="text-ink-soft italic">not known</dd>;
  if ('options' in state) {
    return <TermsText terms={state} other={other !== null && 'options' in other ? other : null} />;
  }
  if ('compliance' in state) return <dd>{COMPLIANCE_TEXTS[state.compliance]}</dd>;
  if ('listing_status' in state) {
    return <dd>{state.listing_status === 'listed' ? 'Listed in a directory' : 'Listed in no directory'}</dd>;
  }
  return <LivenessText state={state} />;
}

function LivenessText({ state }: { readonly state: Extract<State, { liveness: unknown }> }) {
  const { liveness, down_since: downSince, missed_probes: missed, outcome, http_status: status } = state;
  return (
    <>
      <dd className="font-semibold">{liveness === 'up' ? 'Up' : 'Down'}</dd>
      {downSince === undefined ? null : (
        <dd>
          since <TimeWithAge iso={downSince} />
        </dd>
      )}
      {missed === undefined ? null : <dd>{missed === 1 ? '1 missed probe' : `${missed} missed probes`}</dd>}
      {outcome === undefined ? null : (
        <dd>
          Latest probe: {outcome}
          {typeof status === 'number' ? `, HTTP status ${status}` : ''}
        </dd>
      )}
    </>
  );
}

function TermsText({ terms, other }: { readonly terms: Terms; readonly other: Terms | null }) {
  const known = new Set(other?.options.map((option) => JSON.stringify(option)));
  const changed = terms.options.filter((option) => !known.has(JSON.stringify(option)));
  const same = terms.options.length - changed.length;
  return (
    <>
      {changed.map((option, index) => (
        <OptionText key={index} option={option} />
      ))}
      {same === 0 ? null : (
        <dd className="text-ink-soft">
          {same === 1 ? '1 payment option' : `${same} payment options`} without a change
        </dd>
      )}
      {terms.options.length === 0 ? <dd className="text-ink-soft italic">no payment options</dd> : null}
      {terms.protocol_version !== null && terms.protocol_version !== other?.protocol_version ? (
        <dd className="text-sm text-ink-soft">x402 version {terms.protocol_version}</dd>
      ) : null}
    </>
  );
}

/** Payment option with the whole address, so that the owner can compare it. All texts come from the provider. */
function OptionText({ option }: { readonly option: Option }) {
  const { network, scheme, pay_to: payTo } = option;
  return (
    <dd className="mt-1">
      <span className="font-semibold">{formatAmount(option)}</span> on <bdi>{formatNetwork(network)}</bdi>{' '}
      <span className="text-sm text-ink-soft">
        (scheme <bdi>{toPlainText(scheme, 50)}</bdi>)
      </span>
      <br />
      <span className="text-ink-soft">to</span>{' '}
      <bdi className="font-mono text-sm [overflow-wrap:anywhere]">{toPlainText(payTo, 200)}</bdi>
    </dd>
  );
}

function formatAmount({ amount, amount_usd: usd, asset, asset_symbol: symbol, decimals }: Option): string {
  const token = toPlainText(symbol ?? asset, 100);
  if (amount === null) return `an unknown amount of ${token}`;
  const whole = decimals === null ? null : formatTokenAmount(amount, decimals);
  const text = whole === null ? `${amount} atomic units of ${token}` : `${whole} ${token}`;
  return usd === null ? text : `${text} (${formatUsd(usd)})`;
}
