import { findOperation, MAX_COUNTED_ALTERNATIVES } from '@touchstone/contract';
import { formatUsd, Stat } from '@touchstone/ui';

/**
 * Number of better alternatives to an endpoint, and how to buy the list of them.
 *
 * @param props.count Number of alternatives; 10 means 10 or more, null means that they are not counted yet.
 */
export function Alternatives({ count }: { readonly count: number | null }) {
  return (
    <Stat
      label="Better alternatives"
      value={count === null ? null : formatAlternatives(count)}
      missing="not computed yet"
      note={count === 0 ? 'no similar endpoint has a better score' : <Note />}
    />
  );
}

function formatAlternatives(count: number): string {
  if (count === 0) return 'none';
  return count >= MAX_COUNTED_ALTERNATIVES ? `${MAX_COUNTED_ALTERNATIVES} or more` : String(count);
}

function Note() {
  const operation = findOperation('POST', '/v1/similar');
  if (operation === null || operation.priceUsd === null) return null;
  return (
    <>
      similar endpoints of other hosts with a better score;{' '}
      <a href="#more" className="whitespace-nowrap">
        list for {formatUsd(operation.priceUsd)}
      </a>
    </>
  );
}
