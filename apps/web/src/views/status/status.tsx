import { formatCount, formatDuration, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { formatNetwork, PageFrame, Timestamp } from '@touchstone/ui';
import type { ReactNode } from 'react';
import type { StatusReport } from './load-status.ts';

/** Age after which a part of the service is late, in milliseconds, as in docs/operations/alert-rules.yaml. */
const MAX_LAG_MS = {
  probes: 10 * MINUTE_MS,
  directory: 6 * HOUR_MS,
  chain: 2 * HOUR_MS,
} as const;

type State = 'ok' | 'late' | 'off';

/** Part of the service, such as the probes or one chain. */
interface Part {
  readonly name: string;
  readonly state: State;
  readonly detail: ReactNode;
}

/** Page about the state of the service itself: a summary, then each part. */
export function Status({ report }: { readonly report: StatusReport }) {
  const parts = listParts(report);
  return (
    <PageFrame>
      <h1>Status of the service</h1>
      <Summary parts={parts} />
      <p className="mt-2 text-ink-soft">
        Read <Timestamp iso={new Date(report.readAt).toISOString()} />. This page is about Touchstone itself.
        The endpoints are on <a href="/trust/stats">Statistics</a>.
      </p>
      <dl className="mt-8 border-b border-line">
        {parts.map((part) => (
          <Row key={part.name} part={part} />
        ))}
      </dl>
    </PageFrame>
  );
}

function listParts(report: StatusReport): readonly Part[] {
  const { readAt, canSell } = report;
  const { directories, chains } = report.metrics.jobs;
  return [
    describeProbes(report),
    ...directories.map(({ directory, completedAt: at }) => ({
      name: `Directory ${directory}`,
      state: toState(at, readAt, MAX_LAG_MS.directory),
      detail: at === null ? 'Not read completely yet.' : <Since at={at} now={readAt} text="Last read" />,
    })),
    describeEmbedder(report),
    ...chains.map(({ network, caughtUpAt: at }) => ({
      name: `Chain ${formatNetwork(network)}`,
      state: toState(at, readAt, MAX_LAG_MS.chain),
      detail:
        at === null ? (
          'Payments are still being read.'
        ) : (
          <Since at={at} now={readAt} text="All payments read" />
        ),
    })),
    {
      name: 'Sales of reports',
      state: canSell ? 'ok' : 'off',
      detail: canSell ? 'Reports can be bought.' : 'Purchases are refused at present. Free pages work.',
    },
  ];
}

function describeProbes({ readAt, metrics }: StatusReport): Part {
  const { oldestDueAt, scheduled } = metrics.probes;
  const lagMs = toLag(oldestDueAt ?? readAt, readAt);
  const lag =
    oldestDueAt === null ? 'No probe is due.' : `The oldest due probe has waited ${formatDuration(lagMs)}.`;
  return {
    name: 'Probes',
    state: lagMs > MAX_LAG_MS.probes ? 'late' : 'ok',
    detail: `${lag} ${formatCount(Math.round(scheduled), 'endpoint')} scheduled. A URL template without example values is never probed.`,
  };
}

function describeEmbedder({ hasEmbedder, metrics }: StatusReport): Part {
  const texts = metrics.queues.find(({ queue }) => queue === 'search_texts')?.items ?? 0;
  const progress =
    texts === 0 ? 'All texts are embedded.' : `${formatCount(texts, 'text')} not embedded yet.`;
  return {
    name: 'Search by meaning',
    state: hasEmbedder ? 'ok' : 'off',
    detail: hasEmbedder ? progress : 'This installation compares only words.',
  };
}

function toState(at: number | null, now: number, maxLagMs: number): State {
  return at === null || now - at > maxLagMs ? 'late' : 'ok';
}

const toLag = (at: number, now: number): number => Math.max(0, now - at);

function Since(props: { readonly at: number; readonly now: number; readonly text: string }) {
  return (
    <>
      {props.text} {formatDuration(toLag(props.at, props.now))} ago,{' '}
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

/** Names the parts that do not work, or says that all parts work. */
function Summary({ parts }: { readonly parts: readonly Part[] }) {
  const listNames = (state: State) =>
    parts
      .filter((part) => part.state === state)
      .map(({ name }) => name)
      .join(', ');
  const [late, off] = [listNames('late'), listNames('off')];
  const { tone, mark } = STATES[late !== '' ? 'late' : off !== '' ? 'off' : 'ok'];
  const texts = [
    ...(late === '' ? [] : [`Late: ${late}.`]),
    ...(off === '' ? [] : [`Off: ${off}.`]),
    late + off === '' ? 'All parts work.' : 'All other parts work.',
  ];
  return (
    <p className={`mt-3 text-xl font-semibold ${tone}`}>
      <span aria-hidden="true">{mark}</span> {texts.join(' ')}
    </p>
  );
}

function Row({ part: { name, state, detail } }: { readonly part: Part }) {
  const { label, tone, mark } = STATES[state];
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-8 gap-y-1 border-t border-line py-3 sm:grid-cols-[14rem_7rem_1fr]">
      <dt className="font-semibold [overflow-wrap:anywhere]">{name}</dt>
      <dd className={`font-semibold ${tone}`}>
        <span aria-hidden="true">{mark}</span> {label}
      </dd>
      <dd className="text-ink-soft tabular-nums max-sm:col-span-2">{detail}</dd>
    </div>
  );
}
