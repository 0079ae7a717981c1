import { numberLabels, type ConnectionTest } from '@touchstone/contract';
import { formatCause } from '../delivery/format-cause.ts';
import { StateMark } from '../shared/state-mark.tsx';

/** Results of the connection tests of new delivery URLs. */
export function ConnectionTests({ tests }: { readonly tests: readonly ConnectionTest[] }) {
  if (tests.length === 0) return null;
  const labels = numberLabels(tests.map(({ url }) => url));
  return (
    <>
      <p className="mt-2">Connection tests:</p>
      <ul className="mt-1 space-y-1">
        {tests.map(({ ok, status, ms, error }, at) => (
          <li key={labels[at]} className="flex flex-wrap gap-x-3 [overflow-wrap:anywhere]">
            {ok ? <StateMark kind="good">Succeeded</StateMark> : <StateMark kind="bad">Failed</StateMark>}
            <bdi className="min-w-0 font-mono text-sm">{labels[at]}</bdi>
            <span className="text-sm text-ink-soft">
              {status === null ? formatCause(error) : `HTTP status ${status}`}, {ms.toLocaleString('en-US')}{' '}
              ms
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
