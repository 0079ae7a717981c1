import { openBuyer, RESOURCE, type TestBuyer } from './buyer.ts';
import type { CommandResult } from './run-command.ts';
import {
  createChallenge,
  encodeHeader,
  openSeller,
  type PaidRequest,
  respond,
  type Seller,
  type SellerOptions,
} from './seller.ts';

/** A buyer and a service that sells to the buyer. */
export interface PurchaseTest extends AsyncDisposable {
  readonly buyer: TestBuyer;
  readonly seller: Seller;
  /** Runs `touchstone buy trust` for the test resource. */
  readonly buyTrust: (
    more?: readonly string[],
    input?: string,
    env?: Readonly<Record<string, string>>,
  ) => Promise<CommandResult>;
  /** Runs another command with the options that name the service and confirm the price. */
  readonly run: (args: readonly string[], input?: string) => Promise<CommandResult>;
}

/**
 * Opens a buyer and a service that sells to the buyer.
 *
 * @param seller options of a service, or a running service. Closing the result also closes the running service.
 */
export async function openPurchaseTest(
  seller: SellerOptions | Seller = {},
  env: Readonly<Record<string, string>> = {},
): Promise<PurchaseTest> {
  const buyer = openBuyer(env);
  const open = 'base' in seller ? seller : await openSeller(seller);
  const toArgs = (args: readonly string[], input?: string) => [
    ...args,
    ...['--service', open.base],
    ...(input === undefined ? ['--yes'] : []),
  ];
  return {
    buyer,
    seller: open,
    buyTrust: (more = [], input, other) =>
      buyer.run(toArgs(['buy', 'trust', ...more, RESOURCE], input), input, other),
    run: (args, input) => buyer.run(toArgs(args, input), input),
    [Symbol.asyncDispose]: async () => {
      buyer[Symbol.dispose]();
      await open[Symbol.asyncDispose]();
    },
  };
}

/** Refuses a payment like the service: with status 402 and a new challenge. The new price is ten times as high. */
export function refuse(
  { request, response, path }: PaidRequest,
  error: string,
  body: Readonly<Record<string, unknown>> = { notCharged: true },
): void {
  response.statusCode = 402;
  const url = `http://${request.headers.host ?? ''}${path}`;
  response.setHeader(
    'payment-required',
    encodeHeader({ ...createChallenge(url, { amount: '50000' }), error }),
  );
  respond(response, body);
}
