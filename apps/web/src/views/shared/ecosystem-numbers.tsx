import type { Ecosystem } from '@touchstone/store';
import { Age, formatCount, Stat, Timestamp } from '@touchstone/ui';

/** Number of endpoints, hosts and probes, and the time of the last probe. */
export function EcosystemNumbers({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  const { endpoints, listed, delisted, adopted, providers, probes30d, lastProbedAt } = ecosystem;
  return (
    <dl className="mt-4 grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat
        label="Endpoints in the catalog"
        value={formatCount(endpoints)}
        note={`${formatCount(listed)} listed, ${formatCount(delisted)} delisted${adopted === 0 ? '' : `, ${formatCount(adopted)} added by paid reports`}`}
      />
      <Stat label="Hosts" value={formatCount(providers)} note="with at least one endpoint" />
      <Stat
        label="Probes, last 30 days"
        value={formatCount(probes30d)}
        note="unpaid requests, about every 30 minutes per endpoint"
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
