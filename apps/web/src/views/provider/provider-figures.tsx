import type { Provider } from '@touchstone/store';
import { Age, formatCount, formatDay, formatPercent, formatUsd, Stat, Timestamp } from '@touchstone/ui';
import { getNetworkName } from '@touchstone/x402/networks';

/** Number of network names that are shown before the rest is counted. */
const MAX_NETWORKS = 4;

/** Number, uptime, failures, prices and networks of the endpoints of a host. */
export function ProviderFigures({ provider }: { readonly provider: Provider }) {
  const { endpoints, listed, uptime30d, failing, firstSeen, computedAt } = provider;
  const networks = formatNetworks(provider.networks);
  return (
    <dl className="mt-6 grid grid-cols-2 gap-x-6 sm:gap-x-8 lg:grid-cols-4">
      <Stat
        label="Endpoints"
        value={formatCount(endpoints)}
        note={
          listed === endpoints
            ? 'listed now'
            : `${formatCount(listed)} listed, ${formatCount(endpoints - listed)} not listed now`
        }
      />
      <Stat
        label="Uptime, last 30 days"
        value={uptime30d === null ? null : formatPercent(uptime30d)}
        note="of the probes of all endpoints"
      />
      <Stat
        label="Failing now"
        value={formatCount(failing)}
        note={`of ${formatCount(endpoints)}, by the latest probe`}
      />
      <Stat
        label="Price per call"
        value={formatPrices(provider)}
        note="in USDC, as advertised"
        missing="not advertised"
      />
      <Stat label="Networks" value={networks} missing="not advertised" />
      <Stat label="First seen" value={formatDay(firstSeen)} note="the oldest endpoint" />
      <Stat
        label="Newest score computed"
        value={<Timestamp iso={computedAt} />}
        note={<Age iso={computedAt} />}
      />
    </dl>
  );
}

function formatPrices({ lowestPriceUsd, highestPriceUsd }: Provider): string | null {
  if (lowestPriceUsd === null || highestPriceUsd === null) return null;
  const [lowest, highest] = [formatUsd(lowestPriceUsd), formatUsd(highestPriceUsd)];
  return lowest === highest ? lowest : `${lowest} to ${highest}`;
}

function formatNetworks(networks: readonly string[]): string | null {
  if (networks.length === 0) return null;
  const names = networks.slice(0, MAX_NETWORKS).map((network) => getNetworkName(network) ?? network);
  const rest = networks.length - names.length;
  return rest === 0 ? names.join(', ') : `${names.join(', ')} and ${rest} more`;
}
