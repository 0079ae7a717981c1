import type { Snapshot } from '@touchstone/store';
import { Age, Timestamp } from '@touchstone/ui';

/** Time of the newest score in a list, as the age of the list. A cached page cannot use the time of rendering. */
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
