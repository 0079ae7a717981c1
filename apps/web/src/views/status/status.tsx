import { formatCount, formatDuration, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { PageFrame, Timestamp } from '@touchstone/ui';
import { getNetworkName } from '@touchstone/x402/networks';
import type { ReactNode } from 'react';
import type { StatusReport } from './load-status.ts';

/** Age after which a part of the service is late, in milliseconds, as in docs/operations/alert-rules.yaml. */
const MAX_LAG_MS = {
  probes: 10 * MINUTE_MS,
  directory: 6 * HOUR_MS,
  chain: 2 * HOUR_MS,
} as const;

type State = 'ok' | 'late' | 'off';

/** Page about the state of the service itself. */
export function Status({ report }: { readonly report: StatusReport }) {
  const { readAt, hasEmbedder, canSell } = report;
  const { probes, queues, jobs } = report.metrics;
  const probeLagMs = toLag(probes.oldestDueAt ?? readAt, readAt);
  const texts = queues.find(({ queue }) => queue === 'search_texts')?.items ?? 0;
  return (
    <PageFrame>
      <h1>Status of the service</h1>
      <p className="mt-4 text-ink-soft">
        Read <Timestamp iso={new Date(readAt).toISOString()} />. This page is about Touchstone itself. The
        endpoints are on <a href="/trust/stats">Statistics</a>.
      </p>
      <dl className="mt-8 border-b border-line">
        <Row name="Probes" state={probeLagMs > MAX_LAG_MS.probes ? 'late' : 'ok'}>
          {probes.oldestDueAt === null
            ? 'No probe is due.'
            : `The oldest due probe has waited ${formatDuration(probeLagMs)}.`}{' '}
          {formatCount(Math.round(probes.scheduled), 'endpoint')} scheduled.
        </Row>
        {jobs.directories.map(({ directory, completedAt }) => (
          <Row
            key={directory}
            name={`Directory ${directory}`}
            state={completedAt === null || readAt - completedAt > MAX_LAG_MS.directory ? 'late' : 'ok'}
          >
            {completedAt === null ? (
              'Not read completely yet.'
            ) : (
              <>
                Last read <Since at={completedAt} now={readAt} />
              </>
            )}
          </Row>
        ))}
        <Row name="Search by meaning" state={hasEmbedder ? 'ok' : 'off'}>
          {hasEmbedder
            ? `${texts === 0 ? 'All texts are embedded.' : `${formatCount(texts, 'text')} not embedded yet.`}`
            : 'This installation compares only words.'}
        </Row>
        {jobs.chains.map(({ network, caughtUpAt }) => (
          <Row
            key={network}
            name={`Chain ${getNetworkName(network) ?? network}`}
            state={caughtUpAt === null || readAt - caughtUpAt > MAX_LAG_MS.chain ? 'late' : 'ok'}
          >
            {caughtUpAt === null ? (
              'Payments are still being read.'
            ) : (
              <>
                All payments read <Since at={caughtUpAt} now={readAt} />
              </>
            )}
          </Row>
        ))}
        <Row name="Sales of reports" state={canSell ? 'ok' : 'off'}>
          {canSell ? 'Reports can be bought.' : 'Purchases are refused at present. Free pages work.'}
        </Row>
      </dl>
    </PageFrame>
  );
}

const toLag = (at: number, now: number): number => Math.max(0, now - at);

function Since({ at, now }: { readonly at: number; readonly now: number }) {
  return (
    <>
      {formatDuration(toLag(at, now))} before, <Timestamp iso={new Date(at).toISOString()} />
    </>
  );
}

const STATES: Readonly<
  Record<State, { readonly label: string; readonly tone: string; readonly mark: string }>
> = {
  ok: { label: 'Working', tone: 'text-good', mark: '✓' },
  late: { label: 'Late', tone: 'text-bad', mark: '!' },
  off: { label: 'Off', tone: 'text-ink-soft', mark: '○' },
};

function Row({
  name,
  state,
  children,
}: {
  readonly name: string;
  readonly state: State;
  readonly children: ReactNode;
}) {
  const { label, tone, mark } = STATES[state];
  return (
    <div className="grid gap-x-8 gap-y-1 border-t border-line py-3 sm:grid-cols-[14rem_7rem_1fr]">
      <dt className="font-semibold [overflow-wrap:anywhere]">{name}</dt>
      <dd className={`font-semibold ${tone}`}>
        <span aria-hidden="true">{mark}</span> {label}
      </dd>
      <dd className="text-ink-soft tabular-nums">{children}</dd>
    </div>
  );
}
