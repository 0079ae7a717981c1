import type { Snapshot } from '@touchstone/store';
import { Age, Timestamp } from '@touchstone/ui';

/**
 * Time of the newest score in a list, which shows how old the list is. The time of rendering cannot be used, because
 * the page is cached.
 */
export function NewestScore({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  const [newest] = snapshots
    .map(({ computedAt }) => computedAt)
    .sort((one, other) => Date.parse(other) - Date.parse(one));
  if (newest === undefined) return null;
  return (
    <>
      Newest score computed <Timestamp iso={newest} />
      {' · '}
      <Age iso={newest} />
    </>
  );
}
