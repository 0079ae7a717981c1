import { WATCH_EVENT_TYPES, type WatchAlert, type WatchEvent } from '@touchstone/contract';
import { toPlainText } from '@touchstone/ui';
import { SeverityMark } from '../shared/state-mark.tsx';
import { TimeWithAge } from '../shared/time-with-age.tsx';
import { EVENT_TITLES } from './event-titles.ts';
import { StateText } from './state-text.tsx';

/** One event: severity, title, time and summary; for an alert also the state before and after. */
export function TimelineEntry({ entry }: { readonly entry: WatchEvent }) {
  const { type, severity, data } = entry;
  return (
    <li className="grid gap-x-6 gap-y-1 border-t border-line py-4 sm:grid-cols-[7rem_1fr]">
      <div>
        <SeverityMark severity={severity} />
      </div>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <h3 className="font-semibold">{EVENT_TITLES[type]}</h3>
        <p className="text-sm text-ink-soft">
          <TimeWithAge iso={entry.observed_at_iso} /> · <span className="font-mono">{type}</span> · no.{' '}
          {data.sequence}
        </p>
        <p className="mt-1">
          <bdi>{toPlainText(data.summary)}</bdi>
        </p>
        {isAlert(entry) ? <Change before={entry.data.before} after={entry.data.after} /> : null}
      </div>
    </li>
  );
}

/** Types of alerts. They have a state before and after; the other events concern the watch itself. */
const ALERT_TYPES: ReadonlySet<string> = new Set(WATCH_EVENT_TYPES);

const isAlert = (entry: WatchEvent): entry is WatchAlert => ALERT_TYPES.has(entry.type);

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
