import { formatNetwork, toPlainText } from '@touchstone/ui';
import { toExplorerUrl } from '@touchstone/x402/block-explorers';
import type { ReactNode } from 'react';

/** Maximum length of an address, in characters. Addresses of all known networks are shorter. */
const MAX_ADDRESS_LENGTH = 128;

/**
 * Link from an address to the block explorer of its network. Without a known explorer, only the children are shown.
 *
 * @param props.network CAIP-2 id.
 * @param props.address Address such as a payTo, as the provider wrote it.
 * @param props.children Text of the link, such as the shortened address; by default the whole address.
 */
export function ExplorerLink({
  network,
  address,
  children = toPlainText(address, MAX_ADDRESS_LENGTH),
}: {
  readonly network: string;
  readonly address: string;
  readonly children?: ReactNode;
}) {
  const url = toExplorerUrl(network, address);
  if (url === null) return children;
  return (
    <a
      href={url}
      rel="nofollow noopener"
      title={`Block explorer of ${formatNetwork(network)}`}
      className="py-1"
    >
      {children}
    </a>
  );
}
