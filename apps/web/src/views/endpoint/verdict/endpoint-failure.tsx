import type { Snapshot } from '@touchstone/store';
import { Age, formatCount, Timestamp, toPlainText } from '@touchstone/ui';
import { describeCause } from '../../shared/cause-text.ts';

interface Props {
  readonly snapshot: Snapshot;
}

type LastFailure = NonNullable<Snapshot['lastFailure']>;

/** Maximum number of causes in the list of failed probes; the most frequent are shown. */
const MAX_CAUSES = 5;
/** Maximum length of the sentence on a failure, in UTF-16 units. */
const MAX_DETAIL_LENGTH = 300;

/** Start and cause of the current failure of an endpoint. Shows nothing if the latest probe succeeded. */
export function CurrentFailure({ snapshot: { failingSince, lastFailure } }: Props) {
  if (failingSince === null) return null;
  const isDown = lastFailure === null || isOutage(lastFailure);
  return (
    <p className="border-b border-l-4 border-b-line border-l-bad px-4 py-4 text-lg sm:px-7 [overflow-wrap:anywhere]">
      <strong>
        {isDown ? 'Down' : 'No successful probe'} since <Timestamp iso={failingSince} />
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

/** Time and cause of a failure from which the endpoint has recovered. */
export function PastFailure({ failure }: { readonly failure: LastFailure }) {
  return (
    <>
      <Timestamp iso={failure.at} />: <Detail failure={failure} />
    </>
  );
}

/**
 * Formats the numbers of failed probes by cause, such as `61 × HTTP 410 Gone, 2 × HTTP 403 Forbidden (not counted in the
 * uptime)`. The most frequent cause is first.
 */
export function formatCauses({ causes30d }: LastFailure): string {
  const causes = Object.entries(causes30d).sort(([, one], [, other]) => other - one);
  const shown = causes.slice(0, MAX_CAUSES).map(([cause, count]) => formatCause(cause, count));
  return causes.length > MAX_CAUSES ? `${shown.join(', ')}, …` : shown.join(', ');
}

function formatCause(cause: string, count: number): string {
  const { label, isDown, effect } = describeCause(cause);
  return `${formatCount(count)} × ${label}${isDown || effect === null ? '' : ` (${effect})`}`;
}

/** Sentence on a failure. It can contain the target of a redirect, which is untrusted. */
function Detail({ failure }: { readonly failure: LastFailure }) {
  return <bdi>{toPlainText(failure.detail, MAX_DETAIL_LENGTH)}</bdi>;
}

/**
 * Returns true if the failure counts as downtime. Uptime excludes a response that may be specific to the probe, such as
 * HTTP 403 or a redirect.
 */
function isOutage({ phase, httpStatus }: LastFailure): boolean {
  if (phase !== 'response' || httpStatus === null) return true;
  return httpStatus === 404 || httpStatus === 410 || httpStatus >= 500;
}
