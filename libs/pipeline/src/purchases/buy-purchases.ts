import { ChainUnreadableError } from '@touchstone/chain';
import { DAY_MS } from '@touchstone/common';
import { planRequest } from '@touchstone/delivery';
import {
  findPurchaseCandidates,
  postponePurchases,
  publishPurchases,
  recheckBuyerOutcomes,
  registerOwnWallet,
  StoreError,
} from '@touchstone/store';
import { addCounts } from '../add-counts.ts';
import { runBatches, runStep } from '../steps.ts';
import { buyOne, type Attempt } from './buy-one.ts';
import { decideOpenPurchases } from './decide-purchase.ts';
import {
  listFundedNetworks,
  type BuyContext,
  type PlannedPurchase,
  type PurchaseContext,
} from './purchase-context.ts';

/** Maximum number of purchases at the same time, each on another host. A purchase takes at most two minutes. */
const CONCURRENCY = 4;
/** Maximum number of endpoints that one batch considers. */
const CANDIDATES = 50;
const MAX_BATCHES = 10;
const PUBLISH_LIMIT = 500;
/** Maximum number of endpoints whose buyers' outcomes are checked again in one run. */
const RECHECK_LIMIT = 100;
/** Time after which an endpoint is considered again that could not be bought from. */
const POSTPONED_MS = DAY_MS;
/** Time after which an endpoint is considered again whose request is not safe to make. Its description may change. */
const UNSAFE_MS = 7 * DAY_MS;

/**
 * Numbers of a run: endpoints by the result of the attempt, decided open purchases, published purchases, and endpoints
 * whose buyers' outcomes were checked again.
 */
export interface PurchasesSummary {
  readonly bought: number;
  readonly postponed: number;
  /** Endpoints whose request is not safe to make. */
  readonly unsafe: number;
  readonly decided: number;
  readonly published: number;
  readonly rechecked: number;
}

/**
 * Buys from due endpoints with the wallet and the budget of the operator, decides the purchases by the chain, and
 * publishes them. Open purchases of earlier runs come first. Without a wallet, earlier purchases are still decided and
 * published. At the end it decides again which outcomes of buyers count.
 */
export async function buyPurchases(context: PurchaseContext): Promise<PurchasesSummary> {
  const { db, now, purchases } = context;
  const batches = await runBatches(context, {
    ...{ name: 'decide open purchases', max: MAX_BATCHES },
    run: async () => {
      const { decided, isLast } = await decideOpenPurchases(context);
      return { counts: { ...NOTHING_BOUGHT, decided, published: await publish(context) }, isLast };
    },
    isLast: ({ isLast }) => isLast,
  });
  const opened = batches.reduce((sum, { counts }) => addCounts(sum, counts), NOTHING_BOUGHT);
  const bought = purchases === undefined ? NOTHING_BOUGHT : await buyDue({ ...context, purchases });
  const rechecked = await runStep(context, 'recheck outcomes of buyers', () =>
    recheckBuyerOutcomes(db, { now: now(), limit: RECHECK_LIMIT }),
  );
  return { ...addCounts(opened, bought), rechecked };
}

const NOTHING_BOUGHT = { bought: 0, postponed: 0, unsafe: 0, decided: 0, published: 0, rechecked: 0 };

function publish({ db, now }: PurchaseContext): Promise<number> {
  return publishPurchases(db, { now: now(), limit: PUBLISH_LIMIT });
}

async function buyDue(context: BuyContext): Promise<PurchasesSummary> {
  const { db, now, purchases } = context;
  const address = purchases.account.address.toLowerCase();
  await runStep(context, 'register the wallet', () => registerOwnWallet(db, { address, now: now() }));
  // The networks are read in each batch, because a batch can empty the wallet.
  const batches = await runBatches(context, {
    ...{ name: 'buy', max: MAX_BATCHES },
    run: async () => buyBatch(context, await listFundedNetworks(context, CONCURRENCY)),
    isLast: ({ isLast }) => isLast,
  });
  return batches.reduce((sum, { counts }) => addCounts(sum, counts), NOTHING_BOUGHT);
}

/** Considers due endpoints, buys from the first of them, and publishes. Each endpoint is on another host. */
async function buyBatch(
  context: BuyContext,
  networks: readonly string[],
): Promise<{ readonly counts: PurchasesSummary; readonly isLast: boolean }> {
  const { db, now, purchases } = context;
  const { budget, skip } = purchases;
  const query = { networks, budget, now: now(), limit: CANDIDATES };
  const candidates = await findPurchaseCandidates(db, query);
  const unsafe: string[] = [];
  const planned: PlannedPurchase[] = [];
  for (const candidate of candidates) {
    if (planned.length === CONCURRENCY) break;
    const plan = planRequest(candidate, { skip });
    if (plan.ok) planned.push({ candidate, request: plan.request });
    else unsafe.push(candidate.endpointId);
  }
  await postponePurchases(db, { endpointIds: unsafe, until: now() + UNSAFE_MS });
  const attempts = await Promise.all(
    planned.map((purchase) => attempt(context, { planned: purchase, networks })),
  );
  const postponed = planned.filter((_, index) => attempts[index] === 'postponed');
  const endpointIds = postponed.map(({ candidate }) => candidate.endpointId);
  await postponePurchases(db, { endpointIds, until: now() + POSTPONED_MS });
  const counts = {
    ...NOTHING_BOUGHT,
    bought: attempts.filter((result) => result === 'bought').length,
    ...{ postponed: postponed.length, unsafe: unsafe.length, published: await publish(context) },
  };
  return {
    counts,
    isLast: candidates.length === 0 || attempts.includes('stopped') || context.signal?.aborted === true,
  };
}

/** Buys from one endpoint. A failure of the database or of the chain ends the run, and the purchase stays open. */
async function attempt(
  context: BuyContext,
  { planned, networks }: { readonly planned: PlannedPurchase; readonly networks: readonly string[] },
): Promise<Attempt> {
  try {
    return await buyOne(context, planned, networks);
  } catch (error) {
    if (!(error instanceof ChainUnreadableError || error instanceof StoreError)) throw error;
    context.logError?.(`The test purchase at ${planned.candidate.host} was interrupted: ${error.message}`);
    return 'stopped';
  }
}
