import { createFacilitator, createSeller, type Seller } from '@touchstone/payment';
import { chainSources } from '@touchstone/pipeline';
import { config, siteOrigin } from './config.ts';
import type { PaymentConfig } from './payment-config.ts';
import { secretDb } from './secret-data.ts';

let seller: Seller | null | undefined;

/** Who sells, opened at the first request to a paid route; null where nothing is sold. */
export function openSeller(): Seller | null {
  if (seller === undefined) {
    const { payment } = config();
    seller = payment === null ? null : sellerOf(payment);
  }
  return seller;
}

function sellerOf({ network, payTo, facilitatorUrl, cdp, rpcUrls }: PaymentConfig): Seller {
  const [chain] = chainSources(new Map([...rpcUrls].filter(([other]) => other === network)));
  if (chain === undefined) throw new Error(`RPC_URLS has no provider of ${network}`);
  return createSeller({
    db: secretDb(),
    facilitator: createFacilitator({ url: facilitatorUrl, ...(cdp === null ? {} : { auth: cdp }) }),
    network,
    payTo,
    baseUrl: siteOrigin(process.env),
    now: Date.now,
    chain: chain.providers,
    onTrouble: (message, error) => {
      const said = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${JSON.stringify({ trouble: message, said })}\n`);
    },
  });
}
