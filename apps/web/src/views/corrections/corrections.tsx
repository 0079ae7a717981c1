import { MAX_CORRECTIONS } from '@touchstone/contract/operations/dispute/schemas';
import type { PublicDispute } from '@touchstone/store';
import { PageFrame } from '@touchstone/ui';
import { DisputeList } from '../../page-parts/dispute-list.tsx';

/** Answered disputes of verdicts, and corrections of the operator, newest first. */
export function Corrections({ corrections }: { readonly corrections: readonly PublicDispute[] }) {
  return (
    <PageFrame>
      <h1>Corrections</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Verdicts that a provider disputed and the operator answered, and errors that the operator found,
        newest first. An answer changes no score by itself: after an error, the measurement or the formula is
        corrected.
      </p>
      <p className="mt-2 max-w-2xl">
        Providers <a href="/dispute">dispute a verdict</a> with a signature of their payTo wallet or a claim.
      </p>
      <div className="mt-6">
        {corrections.length === 0 ? (
          <p>Nothing has been corrected, and no dispute has been answered yet.</p>
        ) : (
          <DisputeList disputes={corrections} hasEndpoints />
        )}
        {corrections.length < MAX_CORRECTIONS ? null : (
          <p className="mt-2 text-sm text-ink-soft">The page shows the newest {MAX_CORRECTIONS} entries.</p>
        )}
      </div>
    </PageFrame>
  );
}
