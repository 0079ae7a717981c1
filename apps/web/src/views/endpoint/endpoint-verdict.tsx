import { formatConfidence, formatCount, formatDay, formatScore, toConfidenceBand } from '@touchstone/common';
import { ECOSYSTEM_EVENTS } from '@touchstone/contract';
import type { EventEntry, Snapshot } from '@touchstone/store';
import {
  Age,
  GradeMark,
  RecommendationChip,
  ScoreScale,
  Timestamp,
  formatGrade,
  getRecommendationText,
  isCautionary,
  toPlainText,
} from '@touchstone/ui';
import type { EndpointProps } from './section.tsx';
import { toEventsUrl } from '../events/event-params.ts';
import { toEventAnchor } from '../events/events-feed.ts';
import { describeCause } from '../../page-parts/cause-text.ts';

interface VerdictProps extends EndpointProps {
  /** Newest events of the endpoint, latest update first. */
  readonly events: readonly EventEntry[];
}

/** Grade, score, recommendation, confidence, flags, events and failures of an endpoint, with the age of the snapshot. */
export function EndpointVerdict({ snapshot, events }: VerdictProps) {
  const { recommendation, confidence, computedAt, failingSince, lastFailure } = snapshot;
  return (
    <section aria-labelledby="verdict" className="mt-8 border border-line bg-panel">
      <h2 id="verdict" className="sr-only">
        Verdict
      </h2>
      <CurrentFailure snapshot={snapshot} />
      <div className="flex flex-col gap-8 p-5 sm:p-8 lg:flex-row lg:items-center lg:gap-12">
        {isCautionary(recommendation) ? <Advice snapshot={snapshot} /> : null}
        <Mark snapshot={snapshot} />
        {isCautionary(recommendation) ? null : <Advice snapshot={snapshot} />}
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-2 border-t border-line px-5 py-4 text-sm sm:px-8">
        <Line term="Confidence">
          {formatConfidence(confidence)}, {toConfidenceBand(confidence)}
        </Line>
        <Line term="Flags">{formatFlagCounts(snapshot)}</Line>
        {events.length === 0 ? null : (
          <Line term="Events">
            <EventLinks events={events} />
          </Line>
        )}
        {/* The script times.js changes the length of the age, so the age has a row of its own and moves nothing. */}
        <Line term="Snapshot computed" className="basis-full">
          <Timestamp iso={computedAt} />
          <span className="text-ink-soft">
            {' · '}
            <Age iso={computedAt} />
          </span>
        </Line>
        {failingSince !== null || lastFailure === null ? null : (
          <Line term="Last failure">
            <Timestamp iso={lastFailure.at} />: <Detail failure={lastFailure} />
          </Line>
        )}
        {lastFailure === null || Object.keys(lastFailure.causes30d).length === 0 ? null : (
          <Line term="Failed probes, last 30 days">{formatCauses(lastFailure)}</Line>
        )}
      </dl>
    </section>
  );
}

/** Grade with the score. Without a grade, the score has no meaning for a reader and is left out. */
function Mark({ snapshot: { grade, score } }: EndpointProps) {
  const name = <span className="whitespace-nowrap">{formatGrade(grade)}</span>;
  return (
    <div className="flex shrink-0 items-center gap-6">
      <GradeMark grade={grade} className="h-32 w-28 shrink-0" />
      {grade === '?' ? (
        <p className="text-ink-soft">{name}</p>
      ) : (
        <div>
          <p className="text-6xl leading-none font-bold">{formatScore(score)}</p>
          <p className="mt-2 text-ink-soft">of 100 · {name}</p>
        </div>
      )}
    </div>
  );
}

/** Recommendation with its meaning, and the scale of the score. */
function Advice({ snapshot: { grade, score, recommendation } }: EndpointProps) {
  return (
    <div className="grow">
      <p className="text-2xl">
        <RecommendationChip recommendation={recommendation} />
      </p>
      <p className="mt-1 max-w-2xl text-ink-soft">{getRecommendationText(recommendation).meaning}</p>
      {grade === '?' ? null : (
        <div className="mt-5">
          <ScoreScale score={score} grade={grade} />
        </div>
      )}
    </div>
  );
}

interface LineProps {
  readonly term: string;
  readonly className?: string;
  readonly children: React.ReactNode;
}

function Line({ term, className = '', children }: LineProps) {
  return (
    <div className={`flex flex-wrap gap-x-2 ${className}`}>
      <dt className="text-ink-soft">{term}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** Formats the numbers of errors and warnings. Every error decides the recommendation, but not every warning. */
function formatFlagCounts({ errorFlags, warningFlags }: Snapshot): string {
  return `${formatCount(errorFlags, 'error')}, ${formatCount(warningFlags, 'warning')}`;
}

/** Links to the entries of the events page, with kind and UTC day. */
function EventLinks({ events }: Pick<VerdictProps, 'events'>) {
  return events.map((event, index) => (
    <span key={event.id}>
      {index === 0 ? '' : ', '}
      <a
        href={`${toEventsUrl({ kind: event.kind, before: event.id })}#${toEventAnchor(event)}`}
        rel="nofollow"
      >
        {ECOSYSTEM_EVENTS[event.kind].label}, {formatDay(event.at)}
      </a>
    </span>
  ));
}

type LastFailure = NonNullable<Snapshot['lastFailure']>;

/** Maximum number of causes in the list of failed probes; the most frequent are shown. */
const MAX_CAUSES = 5;
/** Maximum length of the sentence on a failure, in UTF-16 units. */
const MAX_DETAIL_LENGTH = 300;

/**
 * Start and cause of the current failure of an endpoint. Shows nothing if the latest probe succeeded. The text does not
 * state that the endpoint is down, because some failures, such as HTTP 403, may concern only the probes of the service.
 */
function CurrentFailure({ snapshot: { failingSince, lastFailure } }: EndpointProps) {
  if (failingSince === null) return null;
  return (
    <p className="border-b border-l-4 border-b-line border-l-bad px-4 py-4 text-lg sm:px-7 [overflow-wrap:anywhere]">
      <strong>
        Every probe has failed since <Timestamp iso={failingSince} />
      </strong>
      {lastFailure === null ? (
        '.'
      ) : (
        <>
          : <Detail failure={lastFailure} />
        </>
      )}{' '}
      <span className="text-base text-ink-soft">
        {'· '}
        <Age iso={failingSince} />
      </span>
    </p>
  );
}

/**
 * Formats the numbers of failed probes by cause, such as `61 × HTTP 410 Gone, 2 × HTTP 403 Forbidden (not counted in the
 * uptime)`. The most frequent cause is first.
 */
function formatCauses({ causes30d }: LastFailure): string {
  const causes = Object.entries(causes30d).sort(([, one], [, other]) => other - one);
  const shown = causes.slice(0, MAX_CAUSES).map(([cause, count]) => formatCause(cause, count));
  return causes.length > MAX_CAUSES ? `${shown.join(', ')}, …` : shown.join(', ');
}

function formatCause(cause: string, count: number): string {
  const { label, isDown, effect } = describeCause(cause);
  return `${formatCount(count)} × ${label}${isDown || effect === null ? '' : ` (${effect})`}`;
}

/** Sentence on a failure. The sentence is untrusted, because it can contain the target of a redirect. */
function Detail({ failure }: { readonly failure: LastFailure }) {
  return <bdi>{toPlainText(failure.detail, MAX_DETAIL_LENGTH)}</bdi>;
}
