import { getSharedUntil } from '@touchstone/check';
import { formatMinute, MINUTE_MS } from '@touchstone/common';
import { Age, StrokeIcon, Timestamp, toPlainText } from '@touchstone/ui';
import { formatLintCommand } from '../../operations/documents/cli-command.ts';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { InlineCommand } from '../../page-parts/code-block.tsx';
import type { CheckParams } from './check-params.ts';
import type { ShownCheck } from './load-check.ts';
import { describeOutcome } from './outcomes.ts';

/** First lines of a check: what agents do, and what the seller should do first. */
export function CheckBand({ check }: { readonly check: ShownCheck }) {
  const { headline, step } = check;
  const { label, band, path } = describeOutcome(check);
  return (
    <section
      aria-labelledby="outcome"
      className={`mt-5 rounded-sm border border-edge px-5 py-4 text-[#fbfcfa] sm:px-7 sm:py-5 ${band}`}
    >
      <h2
        id="outcome"
        className="flex items-center gap-2 text-[min(2.25rem,9vw)] leading-tight font-semibold"
      >
        <StrokeIcon path={path} className="size-[1em] shrink-0" />
        {label}
      </h2>
      <p className="mt-1 max-w-4xl text-lg leading-snug [overflow-wrap:anywhere] sm:text-xl">
        {toPlainText(headline)}
      </p>
      {step === null ? null : (
        <p className="mt-3 max-w-4xl border-t border-current/40 pt-3 text-lg leading-snug [overflow-wrap:anywhere]">
          <strong>Do this first: </strong>
          {toPlainText(step)}
        </p>
      )}
    </section>
  );
}

/**
 * Time of a check, and a button that checks again. While the result is shared, the same result would be shown, so the
 * page names the command that has no such limit.
 */
export function CheckAgain({
  check,
  params: { url, method },
  baseUrl,
  now,
}: {
  readonly check: ShownCheck;
  readonly params: Pick<CheckParams, 'url' | 'method'>;
  readonly baseUrl: string;
  /** Time of rendering, in milliseconds since the epoch. */
  readonly now: number;
}) {
  const sharedUntil = getSharedUntil(check);
  return (
    <form action="/check" method="post" className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <input type="hidden" name="url" value={url ?? check.resource} />
      <input type="hidden" name="method" value={method ?? ''} />
      <p className="text-ink-soft">
        {check.method}
        {check.status === null ? '' : `, status ${check.status}`}. Checked <Timestamp iso={check.checkedAt} />
        {' · '}
        <Age iso={check.checkedAt} renderedAt={now} />.
      </p>
      <button
        type="submit"
        className="min-h-11 cursor-pointer border border-edge bg-panel px-4 font-semibold hover:border-accent hover:text-accent"
      >
        Check again
      </button>
      {sharedUntil <= now ? null : (
        <p className="w-full text-ink-soft">
          This result is shown again until {formatMinute(Math.ceil(sharedUntil / MINUTE_MS) * MINUTE_MS)}. To
          see a change at once, run{' '}
          <InlineCommand code={formatLintCommand(baseUrl, quoteForShell(check.resource))} />.
        </p>
      )}
    </form>
  );
}
