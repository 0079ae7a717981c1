import { type MarkKind, StateMark } from '../../page-parts/state-mark.tsx';
import { toCallError } from '../trpc/client.ts';
import { ErrorMessage } from '../../page-parts/form-parts.tsx';
import { type PropsWithChildren, type ReactNode, createContext, use, useEffect, useState } from 'react';
import type { WatchSeverity } from '@touchstone/contract';
import { formatDuration } from '@touchstone/common';
import { Timestamp } from '@touchstone/ui';

/** Section of the page with its heading. */
export function Section({ id, title, children }: PropsWithChildren<{ id: string; title: string }>) {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

const SEVERITIES: Readonly<Record<WatchSeverity, readonly [MarkKind, string]>> = {
  critical: ['bad', 'Critical'],
  warning: ['warn', 'Warning'],
  info: ['info', 'Info'],
};

/** Icon and word of the severity of an event. */
export function SeverityMark({ severity }: { readonly severity: WatchSeverity }) {
  const [kind, word] = SEVERITIES[severity];
  return <StateMark kind={kind}>{word}</StateMark>;
}

/** Interval between two updates of the shown ages, in milliseconds. */
const CLOCK_MS = 10_000;

/** Context with the current time, in milliseconds since the epoch. All shown ages use this time. */
export const NowContext = createContext(0);

/** Returns the current time in milliseconds since the epoch, and updates it every ten seconds. */
export function useClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, CLOCK_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return now;
}

/**
 * Time in UTC with its distance from the current time.
 *
 * @param props.isPlanned True for a time that may be in the future. Other times are never shown as future, even if the
 * clock of the browser is some seconds slow.
 */
export function TimeWithAge({
  iso,
  isPlanned = false,
}: {
  readonly iso: string;
  readonly isPlanned?: boolean;
}) {
  const now = use(NowContext);
  const distance = formatDistance(iso, isPlanned ? now : Math.max(now, Date.parse(iso)));
  return (
    <>
      <Timestamp iso={iso} /> <span className="whitespace-nowrap text-ink-soft">({distance})</span>
    </>
  );
}

/**
 * Formats the distance between a time and the current time, such as "5 minutes ago" or "in 12 days". A future time is
 * rounded, so a watch that was bought a minute ago ends "in 30 days".
 */
export function formatDistance(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  return ms > 0 ? `in ${formatDuration(ms, Math.round)}` : `${formatDuration(-ms)} ago`;
}

interface QuerySectionProps<Data> {
  readonly id: string;
  readonly title: string;
  /** Name of the data in the texts about loading and failure, such as "events". */
  readonly subject: string;
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly isPending: boolean };
  readonly children: (data: Data) => ReactNode;
}

/** Section with data of the service, or with the state of the request. */
export function QuerySection<Data>({ id, title, subject, query, children }: QuerySectionProps<Data>) {
  const { data, error, isPending } = query;
  return (
    <Section id={id} title={title}>
      {isPending ? (
        <p role="status" className="mt-4 text-ink-soft">
          Loading the {subject}…
        </p>
      ) : null}
      {error === null ? null : (
        <div className="mt-4">
          <ErrorMessage>
            The {subject} could not be read: {toCallError(error).text}
          </ErrorMessage>
        </div>
      )}
      {data === undefined ? null : children(data)}
    </Section>
  );
}
