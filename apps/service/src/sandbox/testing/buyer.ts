import { readFileSync } from 'node:fs';
import {
  findOperation,
  trustInputSchema,
  watchCreatedSchema,
  watchCreateInputSchema,
  type TrustInput,
  type WatchCreated,
} from '@touchstone/contract';
import { createFacilitator, createSeller, type PaidOperation } from '@touchstone/payment';
import { encodePayment, readChallengeHeader, sign } from '@touchstone/payment/testing';
import {
  createTrustReport,
  createWatch,
  type PipelineContext,
  type ReportContext,
  type WatchContext,
} from '@touchstone/pipeline';
import { createPublicClient, erc20Abi, http, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { z } from 'zod';
import type { Sandbox } from '../start-sandbox.ts';

/** USDC of each network on which a service can sell in the sandbox. */
const USDC = {
  'eip155:8453': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'eip155:84532': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
} as const;
const SELLER_WALLET = '0x5e11e45e11e45e11e45e11e45e11e45e11e45e11';

export interface BuyerOptions {
  readonly context: WatchContext;
  readonly reports: ReportContext;
  readonly sandbox: Sandbox;
  readonly chains: PipelineContext['chains'];
  /** File with the private key of the demo wallet. */
  readonly keyFile: string;
}

function requireOperation(path: string) {
  const operation = findOperation('POST', path);
  if (!operation) throw new Error(`the contract has no operation POST ${path}`);
  return operation;
}

/** Creates the paid operation that the site sells at `POST /v1/watch-endpoint-30d`. */
function createWatchOperation(context: WatchContext): PaidOperation<z.infer<typeof watchCreateInputSchema>> {
  return {
    operation: requireOperation('/v1/watch-endpoint-30d'),
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

/** Creates the paid operation that the site sells at `POST /v1/x402-trust`, without the signature of the report. */
function createReportOperation(reports: ReportContext): PaidOperation<TrustInput> {
  return {
    operation: requireOperation('/v1/x402-trust'),
    input: trustInputSchema,
    toResource: ({ resource }) => resource,
    isRecordedLater: true,
    startsEarly: true,
    work: async ({ resource }, { payer }, context) => {
      const outcome = await createTrustReport(reports, { resource, detail: 'short' }, { payer, ...context });
      if (outcome.kind === 'problem') throw new Error(`${outcome.code}: ${outcome.detail}`);
      return { body: outcome.report };
    },
  };
}

function createSandboxSeller({ context, sandbox, chains = [] }: BuyerOptions) {
  const { network } = sandbox;
  const providers = chains.find((source) => source.providers.network === network)?.providers;
  if (!providers || sandbox.chains === null) throw new Error(sandbox.chainMissing ?? 'there is no chain');
  return createSeller({
    db: context.db,
    facilitator: createFacilitator({ url: sandbox.chains.facilitatorUrl }),
    network,
    payTo: SELLER_WALLET,
    baseUrl: context.baseUrl,
    now: context.now,
    chain: providers,
  });
}

function readDemoWallet(keyFile: string) {
  const key = readFileSync(keyFile, 'utf8').trim();
  if (!isHex(key)) throw new Error('the key of the demo wallet is not hexadecimal');
  return privateKeyToAccount(key);
}

/** Creates functions that buy with the demo wallet of the sandbox, on the local chain of the sales network. */
export function createBuyer(options: BuyerOptions) {
  const { context, reports, keyFile } = options;
  const seller = createSandboxSeller(options);
  const account = readDemoWallet(keyFile);
  const buy = async <Input>(operation: PaidOperation<Input>, body: object) => {
    const send = (payment: Record<string, string>) =>
      seller.respond(
        new Request(`${context.baseUrl}${operation.operation.path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...payment },
          body: JSON.stringify(body),
        }),
        operation,
      );
    const challenge = readChallengeHeader(await send({}));
    const response = await send({ 'payment-signature': encodePayment(await sign(account, challenge)) });
    return { challenge, response };
  };
  const [watch, report] = [createWatchOperation(context), createReportOperation(reports)];
  return {
    buyWatch: async (body: object): Promise<WatchCreated> =>
      watchCreatedSchema.parse(await (await buy(watch, body)).response.json()),
    /** Buys a report. Returns the challenge, and the response to the payment. */
    buyReport: (resource: string) => buy(report, { resource }),
  };
}

/** Reads the USDC of the seller's wallet on the chain of the sales network, in atomic units. */
export function readSellerBalance({ chains, network }: Sandbox): Promise<bigint> {
  const client = createPublicClient({ transport: http(chains?.rpcUrls[network]) });
  return client.readContract({
    address: USDC[network],
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [SELLER_WALLET],
  });
}
