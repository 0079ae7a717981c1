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
  const { readAt, canSell } = report;
  const { directories, chains } = report.metrics.jobs;
  return (
    <PageFrame>
      <h1>Status of the service</h1>
      <p className="mt-4 text-ink-soft">
        Read <Timestamp iso={new Date(readAt).toISOString()} />. This page is about Touchstone itself. The
        endpoints are on <a href="/trust/stats">Statistics</a>.
      </p>
      <dl className="mt-8 border-b border-line">
        <ProbeRow report={report} />
        {directories.map(({ directory, completedAt: at }) => (
          <Row
            key={directory}
            name={`Directory ${directory}`}
            state={toState(at, readAt, MAX_LAG_MS.directory)}
          >
            {at === null ? 'Not read completely yet.' : <Since at={at} now={readAt} text="Last read" />}
          </Row>
        ))}
        <EmbedderRow report={report} />
        {chains.map(({ network, caughtUpAt: at }) => (
          <Row
            key={network}
            name={`Chain ${getNetworkName(network) ?? network}`}
            state={toState(at, readAt, MAX_LAG_MS.chain)}
          >
            {at === null ? (
              'Payments are still being read.'
            ) : (
              <Since at={at} now={readAt} text="All payments read" />
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

function ProbeRow({ report: { readAt, metrics } }: { readonly report: StatusReport }) {
  const { oldestDueAt, scheduled } = metrics.probes;
  const lagMs = toLag(oldestDueAt ?? readAt, readAt);
  return (
    <Row name="Probes" state={lagMs > MAX_LAG_MS.probes ? 'late' : 'ok'}>
      {oldestDueAt === null
        ? 'No probe is due.'
        : `The oldest due probe has waited ${formatDuration(lagMs)}.`}{' '}
      {formatCount(Math.round(scheduled), 'endpoint')} scheduled.
    </Row>
  );
}

function EmbedderRow({ report: { hasEmbedder, metrics } }: { readonly report: StatusReport }) {
  const texts = metrics.queues.find(({ queue }) => queue === 'search_texts')?.items ?? 0;
  const progress =
    texts === 0 ? 'All texts are embedded.' : `${formatCount(texts, 'text')} not embedded yet.`;
  return (
    <Row name="Search by meaning" state={hasEmbedder ? 'ok' : 'off'}>
      {hasEmbedder ? progress : 'This installation compares only words.'}
    </Row>
  );
}

function toState(at: number | null, now: number, maxLagMs: number): State {
  return at === null || now - at > maxLagMs ? 'late' : 'ok';
}

const toLag = (at: number, now: number): number => Math.max(0, now - at);

function Since(props: { readonly at: number; readonly now: number; readonly text: string }) {
  return (
    <>
      {props.text} {formatDuration(toLag(props.at, props.now))} before,{' '}
      <Timestamp iso={new Date(props.at).toISOString()} />
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
