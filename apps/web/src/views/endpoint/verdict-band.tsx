import {
  formatConfidence,
  formatCount,
  formatPeriod,
  formatScore,
  toConfidenceBand,
} from '@touchstone/common';
import { MIN_PROCEED_SCORE } from '@touchstone/contract/shared/values';
import type { EndpointDay, EventEntry, ProviderNotes, PublicDispute } from '@touchstone/store';
import {
  GradeMark,
  RecommendationChip,
  ScoreRange,
  Timestamp,
  formatGrade,
  getGradeVariant,
  describeRecommendation,
  toPlainText,
} from '@touchstone/ui';
import type { ReactNode } from 'react';
import { CodeBlock, CommandHint } from '../../page-parts/code-block.tsx';
import { toCheckPath } from '../check/check-params.ts';
import { describeVerdict } from './describe-verdict.ts';
import { OpenDisputes } from './disputes.tsx';
import { describeDecisiveEvent } from './endpoint-events.ts';
import { findMaintenance } from './provider-notes.tsx';
import type { SellerOptions } from './report-offer.tsx';
import type { EndpointProps } from './section.tsx';
import { selectAction, type VerdictAction } from './verdict-action.ts';

interface BandProps extends EndpointProps {
  readonly seller: SellerOptions;
  /** Days with probes of the last 30 days, oldest first. */
  readonly days: readonly EndpointDay[];
  readonly events: readonly EventEntry[];
  /** Announcements of the provider; null if no provider has claimed the host. */
  readonly notes: ProviderNotes | null;
  readonly disputes: readonly PublicDispute[];
}

/** Recommendation with its reason and one action, in its color; beside it, smaller, the grade and the score. */
export function VerdictBand({ snapshot, seller, days, events, notes, disputes }: BandProps) {
  const { recommendation } = snapshot;
  const period = formatPeriod(days[0]?.day, snapshot.computedAt);
  const event = describeDecisiveEvent(snapshot, days, events);
  return (
    <section
      aria-labelledby="verdict"
      className={`mt-4 grid rounded-sm border border-edge lg:grid-cols-[minmax(0,1fr)_21rem] ${describeRecommendation(recommendation).band}`}
    >
      <div className="min-w-0 px-5 py-4 text-[#fbfcfa] sm:px-7">
        <h2 id="verdict" className="font-normal text-[min(2.25rem,9vw)] leading-tight">
          <RecommendationChip recommendation={recommendation} isOnBand />
        </h2>
        <p className="max-w-2xl text-lg leading-snug">{describeVerdict(snapshot, period)}</p>
        {event === null ? null : (
          <p className="mt-1">
            <strong>{event}</strong>
          </p>
        )}
        <CurrentFailure snapshot={snapshot} notes={notes} />
        <Action action={selectAction(snapshot, seller)} baseUrl={seller.baseUrl} />
        <SellerHint snapshot={snapshot} />
      </div>
      <GradeCard snapshot={snapshot} period={period} disputes={disputes} />
    </section>
  );
}

function Action({ action, baseUrl }: { readonly action: VerdictAction; readonly baseUrl: string }) {
  if ('href' in action) {
    return (
      <p className="mt-3">
        <a
          href={action.href}
          className="inline-block rounded-sm bg-[#fbfcfa] px-4 py-2 font-semibold text-[#15191c] no-underline hover:text-[#15191c] hover:underline focus-visible:outline-[#fbfcfa]"
        >
          {action.title}
        </a>
      </p>
    );
  }
  return (
    <div className="mt-3">
      <p className="font-semibold">
        {action.title}.
        <CommandHint baseUrl={baseUrl} />
      </p>
      <CodeBlock label={action.label} code={action.command} isWrapped />
    </div>
  );
}

/** Link for the seller of an endpoint that clients should not simply pay. */
function SellerHint({ snapshot: { recommendation, templated, resource } }: EndpointProps) {
  if (templated || recommendation === 'proceed' || recommendation === 'free') return null;
  return (
    <p className="mt-3 text-sm">
      Is this yours?{' '}
      <a href={toCheckPath(resource)} className="inline-block py-1 text-[#fbfcfa] hover:text-[#fbfcfa]">
        Check it live, free
      </a>
    </p>
  );
}

/** Maximum length of the sentence on a failure, in UTF-16 units. */
const MAX_DETAIL_LENGTH = 200;

/**
 * Start and cause of the current failure of an endpoint. Shows nothing if the latest probe succeeded. The text does not
 * state that the endpoint is down, because some failures, such as HTTP 403, may concern only the probes of the service.
 */
function CurrentFailure({
  snapshot: { failingSince, blockedSince, lastFailure },
  notes,
}: Pick<BandProps, 'snapshot' | 'notes'>) {
  const since = blockedSince ?? failingSince;
  if (since === null) return null;
  const maintenance = findMaintenance(notes, since);
  return (
    <p className="mt-1 [overflow-wrap:anywhere]">
      <strong>
        {blockedSince === null ? 'Every probe has failed since ' : 'Our probes have been blocked since '}
        <Timestamp iso={since} />
      </strong>
      {lastFailure === null ? '.' : ': '}
      {lastFailure === null ? null : <bdi>{toPlainText(lastFailure.detail, MAX_DETAIL_LENGTH)}</bdi>}
      {maintenance === undefined ? null : (
        <>
          {' It began during maintenance that the provider announced until '}
          <Timestamp iso={maintenance.endsAt} />.
        </>
      )}
    </p>
  );
}

/** Grade with score, range and number of probes. Without a grade, the score has no meaning for a reader and is left out. */
function GradeCard({
  snapshot,
  period,
  disputes,
}: EndpointProps & Pick<BandProps, 'disputes'> & { readonly period: string }) {
  const { grade, score, scoreLow, scoreHigh, recommendation, confidence } = snapshot;
  const { probes30d, errorFlags, warningFlags } = snapshot;
  const variant = getGradeVariant(snapshot);
  const isProvisional = variant === 'hollow' && grade !== '?';
  return (
    <div className="rounded-sm bg-panel px-5 py-4 text-ink">
      <div className="flex items-center gap-4">
        <GradeMark grade={grade} variant={variant} className="h-14 w-12 shrink-0" />
        {grade === '?' ? (
          <p className="text-ink-soft">{formatGrade(grade)}</p>
        ) : (
          <p className={recommendation === 'avoid' ? 'text-ink-soft' : ''}>
            <span className="text-3xl leading-none font-bold">{formatScore(score)}</span>{' '}
            <span className="text-ink-soft">
              of 100 · {formatGrade(grade)}
              {isProvisional ? ', provisional' : ''}
            </span>
          </p>
        )}
      </div>
      {grade === '?' ? null : (
        <ScoreRange
          score={score}
          low={scoreLow}
          high={scoreHigh}
          isMuted={variant !== 'solid'}
          className="mt-3 h-2.5 w-full"
        />
      )}
      <dl className="mt-3 text-sm">
        {grade === '?' ? null : (
          <Line term={<a href="/methodology#range">Score range</a>}>
            {formatScore(scoreLow)} to {formatScore(scoreHigh)}
          </Line>
        )}
        <Line term={`Probes, ${period}`}>{formatCount(probes30d)}</Line>
        <Line term="Confidence">
          {formatConfidence(confidence)}, {toConfidenceBand(confidence)}
        </Line>
        {/* Every error decides the recommendation, but not every warning. */}
        <Line term="Error flags">{formatCount(errorFlags)}</Line>
        <Line term="Warnings">{formatCount(warningFlags)}</Line>
      </dl>
      {errorFlags + warningFlags === 0 ? null : (
        <p className="mt-1 text-sm text-ink-soft">
          {errorFlags > 0 && score >= MIN_PROCEED_SCORE
            ? 'The grade does not contain the error that rules a payment out.'
            : 'An error rules a payment out. A warning is a risk to check first.'}{' '}
          <a href="/methodology#flags">What flags mean</a>
        </p>
      )}
      <OpenDisputes disputes={disputes} />
    </div>
  );
}

function Line({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-x-4">
      <dt className="text-ink-soft">{term}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </div>
  );
}
