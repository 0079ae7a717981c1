import type { Ecosystem } from '@touchstone/store';
import { Age, formatCount, formatPercent, GradeDistribution, Timestamp } from '@touchstone/ui';
import { EmptyState } from '../shared/empty-state.tsx';

/** Number of monitored endpoints, share of those to pay, number of probes, and grades, with the time of the last probe. */
export function LiveFigures({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  if (ecosystem.endpoints === 0) {
    return (
      <div className="mt-12">
        <EmptyState title="The first probes are running">
          Touchstone is reading the public directories and probing their endpoints for the first time. Grades
          appear here after the first probes.
        </EmptyState>
      </div>
    );
  }
  return (
    <section
      aria-labelledby="figures"
      className="mt-12 rounded-sm border border-stone-line bg-stone px-5 py-6 text-stone-ink sm:px-8 sm:py-8"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
        <h2 id="figures" className="text-xl font-bold">
          The endpoints that we monitor
        </h2>
        <LastProbe at={ecosystem.lastProbedAt} />
      </div>
      <div className="mt-6 grid gap-x-16 gap-y-8 lg:grid-cols-[1fr_1.25fr]">
        <Figures ecosystem={ecosystem} />
        <GradeDistribution counts={ecosystem.grades} probedUpTo={null} />
      </div>
    </section>
  );
}

function LastProbe({ at }: { readonly at: string | null }) {
  return (
    <p className="text-sm text-stone-soft">
      {at === null ? (
        'No probe yet'
      ) : (
        <>
          Last probe <Timestamp iso={at} />
          {' · '}
          <Age iso={at} />
        </>
      )}
    </p>
  );
}

function Figures({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  const { endpoints, providers, recommendations, probes30d } = ecosystem;
  return (
    <dl className="grid content-between gap-y-6 sm:max-lg:grid-cols-3 sm:max-lg:gap-x-8">
      <Figure
        label="Endpoints monitored"
        value={formatCount(endpoints)}
        note={`on ${formatCount(providers)} ${providers === 1 ? 'host' : 'hosts'}`}
      />
      <Figure
        label="Recommended for payment"
        value={formatPercent((100 * recommendations.proceed) / endpoints)}
        note={`${formatCount(recommendations.proceed)} with the recommendation Proceed`}
      />
      <Figure label="Probes, last 30 days" value={formatCount(probes30d)} note="unpaid test requests" />
    </dl>
  );
}

function Figure(props: { readonly label: string; readonly value: string; readonly note: string }) {
  return (
    <div className="flex flex-col">
      <dt className="text-stone-soft">{props.label}</dt>
      <dd className="text-4xl leading-tight font-bold">{props.value}</dd>
      <dd className="text-sm text-stone-soft">{props.note}</dd>
    </div>
  );
}
