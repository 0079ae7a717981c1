import { formatTokenAmount, formatUsd } from '@touchstone/common';
import type { PayOn } from '@touchstone/store';
import { shortenAddress } from '@touchstone/x402';
import { getNetworkName } from '@touchstone/x402/networks';
import { ExplorerLink } from '../../page-parts/explorer-link.tsx';
import { isUnconfirmed } from './endpoint-facts.tsx';
import { type EndpointProps, Section } from './section.tsx';

/** Number of payment options that are shown without opening a section. */
const MAX_OPEN_OPTIONS = 3;

/** Advertised payment options, one per line: network, amount, asset and payTo address. */
export function PaymentOptions({ snapshot }: EndpointProps) {
  const { payOn, recommendation } = snapshot;
  const [open, more] = [payOn.slice(0, MAX_OPEN_OPTIONS), payOn.slice(MAX_OPEN_OPTIONS)];
  return (
    <Section id="pay-on" title="Payment options">
      {payOn.length === 0 ? (
        <p className="text-ink-soft">
          {recommendation === 'free'
            ? 'None, because the endpoint requests no payment.'
            : 'No payment option is advertised.'}
        </p>
      ) : null}
      {isUnconfirmed(snapshot) ? (
        <p className="text-sm text-ink-soft">As the directory lists them, not confirmed by a probe.</p>
      ) : null}
      <Options options={open} />
      {more.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer py-1 text-sm text-ink-soft">{more.length} more</summary>
          <Options options={more} />
        </details>
      )}
    </Section>
  );
}

function Options({ options }: { readonly options: readonly PayOn[] }) {
  if (options.length === 0) return null;
  return (
    <ul className="divide-y divide-line">
      {options.map((option, index) => (
        <li key={index} className="flex flex-wrap justify-between gap-x-6 py-1.5 [overflow-wrap:anywhere]">
          <Amount option={option} />
          <Network id={option.network} scheme={option.scheme} />
          <span className="text-ink-soft">
            to <PayToAddress option={option} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function PayToAddress({ option: { network, payTo } }: { readonly option: PayOn }) {
  return (
    <span className="font-mono text-sm text-ink">
      <ExplorerLink network={network} address={payTo}>
        {shortenAddress(payTo)}
      </ExplorerLink>
    </span>
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
