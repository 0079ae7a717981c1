import type { Snapshot } from '@touchstone/store';
import { Age, Timestamp } from '@touchstone/ui';

/** How old a list is: when the newest score on it was computed. A stored page cannot say so in any other way. */
export function NewestScore({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  const [newest] = snapshots
    .map(({ computedAt }) => computedAt)
    .sort((one, other) => Date.parse(other) - Date.parse(one));
  if (newest === undefined) return null;
  return (
    <>
      Newest score computed <Timestamp iso={newest} />
      <Age iso={newest} className="before:content-['_·_']" />
    </>
  );
}
