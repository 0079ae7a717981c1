import type { PayOn } from '@touchstone/store';
import { formatTokenAmount, formatUsd } from '@touchstone/ui';
import { shortenAddress } from '@touchstone/x402';
import { getNetworkName } from '@touchstone/x402/networks';
import { Section } from '../section.tsx';

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
 * Amount of a payment option. The decimals of an unknown token are not known, so its amount is in atomic units, and the
 * token address is shown.
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
