import {
  formatCount,
  formatDay,
  formatMs,
  formatPercent,
  formatTokenAmount,
  formatUsd,
} from '@touchstone/common';
import { MAX_COUNTED_ALTERNATIVES, findOperation, formatProbeCounts } from '@touchstone/contract';
import type { Snapshot, PayOn } from '@touchstone/store';
import { Stat } from '@touchstone/ui';
import { getNetworkName } from '@touchstone/x402/networks';
import { type EndpointProps, Section } from './section.tsx';
import { formatDirectories } from './subject.tsx';
import { shortenAddress } from '@touchstone/x402';

/** Headline figures of an endpoint, each with its unit and time window. */
export function EndpointFigures({ snapshot, vantage }: EndpointProps & { readonly vantage: string }) {
  return (
    <>
      <Group id="service" title="Uptime and latency">
        <ServiceStats snapshot={snapshot} vantage={vantage} />
      </Group>
      <Group id="price" title="Price and network" columns="sm:grid-cols-2 lg:grid-cols-4">
        <PriceStats snapshot={snapshot} />
      </Group>
      <Group id="record" title="Monitoring and flags">
        <RecordStats snapshot={snapshot} />
      </Group>
    </>
  );
}

function Group({
  id,
  title,
  columns = 'sm:grid-cols-3',
  children,
}: {
  readonly id: string;
  readonly title: string;
  /** Classes with the number of columns on wide screens. */
  readonly columns?: string;
  readonly children: React.ReactNode;
}) {
  return (
    <Section id={id} title={title}>
      <dl className={`-my-3 grid grid-cols-2 gap-x-6 *:border-t-0 sm:gap-x-8 ${columns}`}>{children}</dl>
    </Section>
  );
}

function ServiceStats({ snapshot, vantage }: EndpointProps & { readonly vantage: string }) {
  const { uptime30d, latencyMs, latencyLabel, probes30d } = snapshot;
  const probed = probes30d > 0;
  return (
    <>
      <Stat
        label="Uptime, last 30 days"
        value={uptime30d === null ? null : formatPercent(uptime30d / 100)}
        missing={probed ? 'no probe could be scored' : 'not probed'}
        note={snapshot.blocked30d === 0 ? 'of scored probes succeeded' : formatProbeCounts(snapshot)}
      />
      <Stat
        label={`Average latency from ${vantage}`}
        value={
          latencyMs === null
            ? null
            : `${formatMs(latencyMs)}${latencyLabel === null ? '' : `, ${latencyLabel}`}`
        }
        missing={probed ? 'no response to measure' : 'not probed'}
        note="time to the end of the response in the last 30 days, including the network distance"
      />
      <Stat label="Probes, last 30 days" value={formatCount(probes30d)} note={formatProbesNote(snapshot)} />
    </>
  );
}

/**
 * Returns the note below the number of probes in the last 30 days. A URL template without probes has no note, because a
 * notice on the page explains that templates are not probed. An endpoint with only older probes has no note, because
 * "Last probed" shows the time of the last probe.
 */
function formatProbesNote(snapshot: Snapshot): string | undefined {
  const { probes30d, probedPerDay, duePerDay, templated, lastProbedAt } = snapshot;
  if (probes30d > 0 && probedPerDay !== null && duePerDay !== null) {
    return `${probedPerDay} of ${duePerDay} scheduled probes per day`;
  }
  if (probes30d > 0) return 'about one every 30 minutes';
  return templated || lastProbedAt !== null ? undefined : 'not probed yet';
}

function PriceStats({ snapshot }: EndpointProps) {
  const { amountUsd, templated, priceStability, network, payOn } = snapshot;
  const name = network === null ? null : getNetworkName(network);
  return (
    <>
      <Stat
        label={templated ? 'Price per item' : 'Price per call'}
        value={amountUsd === null ? null : `${formatUsd(amountUsd)} USDC`}
        missing={payOn.length === 0 ? 'not advertised' : 'not advertised in US dollars'}
        note="as advertised"
      />
      <Stat label="Price stability, last 30 days" value={priceStability} />
      <Stat label="Price range, last 30 days" value={formatPriceRange(snapshot)} />
      <Stat
        label="Network"
        value={network === null ? null : (name ?? <span className="font-mono text-base">{network}</span>)}
        missing="not advertised"
        note={name === null ? undefined : <span className="font-mono">{network}</span>}
      />
    </>
  );
}

/** Formats the lowest and the highest advertised price; one price if both are equal. Returns null without a price. */
function formatPriceRange({ lowestPriceUsd30d, highestPriceUsd30d }: Snapshot): string | null {
  if (lowestPriceUsd30d === null || highestPriceUsd30d === null) return null;
  const [low, high] = [formatUsd(lowestPriceUsd30d), formatUsd(highestPriceUsd30d)];
  return low === high ? low : `${low} to ${high}`;
}

function RecordStats({ snapshot }: EndpointProps) {
  const { firstSeen, lastProbedAt, daysTracked, errorFlags, warningFlags } = snapshot;
  return (
    <>
      <Stat
        label="First seen"
        value={formatDay(firstSeen)}
        note={`${formatCount(daysTracked, 'day')} tracked`}
      />
      <Stat
        label="Last probed"
        value={lastProbedAt === null ? null : formatDay(lastProbedAt)}
        missing="not probed"
      />
      <Listing snapshot={snapshot} />
      <Stat
        label="Error flags"
        value={formatCount(errorFlags)}
        note={errorFlags === 0 ? undefined : 'any error flag means avoid'}
      />
      <Stat
        label="Warnings"
        value={formatCount(warningFlags)}
        note={warningFlags === 0 ? undefined : 'risks to check before you pay'}
      />
      <Alternatives count={snapshot.betterAlternatives} />
    </>
  );
}

function Listing({ snapshot: { listingSource, listingStatus, directories } }: EndpointProps) {
  if (listingSource === 'adopted')
    return <Stat label="Directory" value="Not listed" note="added by a paid report" />;
  if (listingStatus === 'delisted')
    return <Stat label="Directory" value="Delisted" note="left every directory that listed it" />;
  return <Stat label="Directory" value="Listed" note={formatDirectories(directories)} />;
}

/**
 * Number of better alternatives to an endpoint, and how to buy the list of these alternatives.
 *
 * @param props.count Number of alternatives; 10 means 10 or more, null means that the alternatives are not counted yet.
 */
function Alternatives({ count }: { readonly count: number | null }) {
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

/** Advertised payment options, one per line: network, amount, asset and payTo address. */
export function PayOnLines({ payOn }: { readonly payOn: readonly PayOn[] }) {
  if (payOn.length === 0) return null;
  return (
    <Section id="pay-on" title="Payment options">
      <ul className="-my-3 divide-y divide-line">
        {payOn.map((option, index) => (
          <li
            key={index}
            className="grid gap-x-8 gap-y-1 py-3 sm:grid-cols-[1fr_1fr_1fr] [overflow-wrap:anywhere]"
          >
            <Network id={option.network} scheme={option.scheme} />
            <Amount option={option} />
            <span className="text-ink-soft">
              to <span className="font-mono text-sm text-ink">{shortenAddress(option.payTo)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Network({ id, scheme }: { readonly id: string; readonly scheme: string }) {
  const name = getNetworkName(id);
  return (
    <span>
      {name === null ? null : <span className="font-semibold">{name} </span>}
      <span className="text-sm text-ink-soft">
        <span className="font-mono">{id}</span>, scheme <span className="font-mono">{scheme}</span>
      </span>
    </span>
  );
}

/**
 * Amount of a payment option. If the decimals of the token are not known, the amount is in atomic units, and the token
 * address is shown.
 */
function Amount({ option: { amount, amountUsd, asset, assetSymbol, decimals } }: { readonly option: PayOn }) {
  const token = assetSymbol ?? <span className="font-mono text-sm">{shortenAddress(asset)}</span>;
  if (amount === null) return <span>{token}, amount is not a whole number</span>;
  const whole = decimals === null ? null : formatTokenAmount(amount, decimals);
  if (whole === null) {
    return (
      <span>
        {amount} atomic units of {token}
      </span>
    );
  }
  return (
    <span>
      <span className="font-semibold">
        {whole} {token}
      </span>
      {amountUsd === null ? null : <span className="text-ink-soft"> ({formatUsd(amountUsd)})</span>}
    </span>
  );
}
