import type { Ecosystem } from '@touchstone/store';
import { Age, formatCount, Stat, Timestamp } from '@touchstone/ui';

/** How much there is, and how often it is looked at. */
export function EcosystemNumbers({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  const { endpoints, listed, delisted, providers, probes30d, lastProbedAt } = ecosystem;
  return (
    <dl className="mt-4 grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat
        label="Endpoints catalogued"
        value={formatCount(endpoints)}
        note={`${formatCount(listed)} listed, ${formatCount(delisted)} delisted`}
      />
      <Stat label="Providers" value={formatCount(providers)} note="distinct hosts" />
      <Stat
        label="Probes, last 30 days"
        value={formatCount(probes30d)}
        note="unpaid requests, every 30 minutes"
      />
      <Stat
        label="Last probe"
        value={lastProbedAt === null ? null : <Timestamp iso={lastProbedAt} />}
        note={lastProbedAt === null ? null : <Age iso={lastProbedAt} />}
        missing="none yet"
      />
    </dl>
  );
}
