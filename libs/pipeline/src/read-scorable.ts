import {
  readScoringInputs,
  readSettlementFigures,
  type Db,
  type SetWallet,
  type StoredScoringInput,
} from '@touchstone/store';
import { settlementOf, walletsOf, type EndpointSettlement } from './settlement-of.ts';

/** Everything that an endpoint is scored from. */
export interface Scorable extends StoredScoringInput {
  readonly settlement: EndpointSettlement;
}

type Unreadable = Awaited<ReturnType<typeof readScoringInputs>>['unreadable'];

/**
 * What endpoints are scored from, and what was settled with what they advertise now. Wallets that many of them name are
 * summed once for all: one address is paid for a hundred hosts.
 */
export async function readScorable(
  db: Db,
  query: { readonly now: number; readonly endpointIds: readonly string[] },
): Promise<{ readonly inputs: readonly Scorable[]; readonly unreadable: Unreadable }> {
  const { inputs, unreadable } = await readScoringInputs(db, query);
  const sets = new Map<string, readonly SetWallet[]>();
  const asked = inputs.map((stored) => {
    const options = advertisedBy(stored);
    const wallets = walletsOf(options);
    const key = JSON.stringify(wallets);
    if (wallets.some(({ counts }) => counts)) sets.set(key, wallets);
    return { stored, options, key };
  });
  const figures = sets.size === 0 ? [] : await readSettlementFigures(db, [...sets.values()], query.now);
  const byKey = new Map([...sets.keys()].map((key, index) => [key, figures[index]]));
  return {
    inputs: asked.map(({ stored, options, key }) => ({
      ...stored,
      settlement: settlementOf(options, byKey.get(key) ?? { wallets: [], total: null }),
    })),
    unreadable,
  };
}

/** What an endpoint asks to be paid with: its own terms, or what a directory lists before the first of them. */
export function advertisedBy({
  state,
  endpoint,
}: StoredScoringInput): StoredScoringInput['endpoint']['listedOptions'] {
  return state.terms?.options ?? endpoint.listedOptions;
}
