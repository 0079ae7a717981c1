import { readFileSync } from 'node:fs';
import {
  findOperation,
  watchCreatedSchema,
  watchCreateInputSchema,
  type WatchCreated,
} from '@touchstone/contract';
import { createFacilitator, createSeller, type PaidOperation } from '@touchstone/payment';
import { encodePayment, readChallengeHeader, sign } from '@touchstone/payment/testing';
import { createWatch, type PipelineContext, type WatchContext } from '@touchstone/pipeline';
import { createPublicClient, erc20Abi, http, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import type { z } from 'zod';
import type { Sandbox } from '../start-sandbox.ts';

const BASE = 'eip155:8453';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SELLER_WALLET = '0x5e11e45e11e45e11e45e11e45e11e45e11e45e11';

export interface BuyerOptions {
  readonly context: WatchContext;
  readonly sandbox: Sandbox;
  readonly chains: PipelineContext['chains'];
  /** File with the private key of the demo wallet. */
  readonly keyFile: string;
}

/** Creates the paid operation that the site sells at `POST /v1/watch-endpoint-30d`. */
function createOperation(context: WatchContext): PaidOperation<z.infer<typeof watchCreateInputSchema>> {
  const operation = findOperation('POST', '/v1/watch-endpoint-30d');
  if (!operation) throw new Error('the contract has no operation that creates a watch');
  return {
    operation,
    input: watchCreateInputSchema,
    toResource: ({ endpoint }) => endpoint,
    cipher: context.cipher,
    work: async (request, buyer) => {
      const created = await createWatch(context, request, buyer);
      if (created.kind === 'problem') throw new Error(`${created.code}: ${created.detail}`);
      return { body: created.body };
    },
  };
}

function createSandboxSeller({ context, sandbox, chains = [] }: BuyerOptions) {
  const providers = chains.find((source) => source.providers.network === BASE)?.providers;
  if (!providers || sandbox.chains === null) throw new Error(sandbox.chainMissing ?? 'there is no chain');
  return createSeller({
    db: context.db,
    facilitator: createFacilitator({ url: sandbox.chains.facilitatorUrl }),
    network: BASE,
    payTo: SELLER_WALLET,
    baseUrl: context.baseUrl,
    now: context.now,
    chain: providers,
  });
}

/** Creates a function that buys a watch with the demo wallet of the sandbox, on its local chain. */
export function createBuyer(options: BuyerOptions): (body: object) => Promise<WatchCreated> {
  const seller = createSandboxSeller(options);
  const operation = createOperation(options.context);
  const key = readFileSync(options.keyFile, 'utf8').trim();
  if (!isHex(key)) throw new Error('the key of the demo wallet is not hexadecimal');
  const account = privateKeyToAccount(key);
  return async (body) => {
    const send = (payment: Record<string, string>) =>
      seller.respond(
        new Request(`${options.context.baseUrl}${operation.operation.path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...payment },
          body: JSON.stringify(body),
        }),
        operation,
      );
    const payload = await sign(account, readChallengeHeader(await send({})));
    const response = await send({ 'payment-signature': encodePayment(payload) });
    return watchCreatedSchema.parse(await response.json());
  };
}

/** Reads the USDC of the seller's wallet on the chain, in atomic units. */
export function readSellerBalance({ chains }: Sandbox): Promise<bigint> {
  const client = createPublicClient({ chain: base, transport: http(chains?.rpcUrls[BASE]) });
  return client.readContract({
    address: USDC,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [SELLER_WALLET],
  });
}
