import type { ReconcileOptions } from '@touchstone/payment';
import { connect } from '@touchstone/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PipelineContext } from '../context.ts';
import { createChainSources } from '../chain-source.ts';

const [BASE, POLYGON] = ['eip155:8453', 'eip155:137'];
/** Maximum duration of a step, in milliseconds. A request on Vercel ends after 300,000. */
const STEP_MS = 240_000;
const NONE = { settled: 0, failed: 0, audited: 0, disputed: 0, open: 0 };
const chains = createChainSources(
  new Map([BASE, POLYGON].map((network) => [network, ['http://127.0.0.1:1/']])),
);
const context: PipelineContext = {
  db: connect({ url: 'http://127.0.0.1:1', key: 'secret' }),
  prober: () => Promise.reject(new Error('this job sends no probe')),
  chains,
  directories: [],
  fetch: globalThis.fetch,
  now: () => 1_000,
  hostSuffix: null,
  owner: 'test',
  onChanged: () => Promise.resolve(),
};

/** Replaces `reconcilePayments`: reports a disputed payment on Base, and a settled payment on every other network. */
function reconcileWithDispute({ chain, onError }: ReconcileOptions): Promise<typeof NONE> {
  if (chain.network !== BASE) return Promise.resolve({ ...NONE, settled: 1 });
  onError?.('nonce 0x1 is unused on the chain', null);
  return Promise.resolve({ ...NONE, audited: 2, disputed: 1 });
}

/** Replaces `reconcilePayments`: reads the chain once, from a provider that never responds. */
async function reconcileSilently({ chain }: ReconcileOptions): Promise<typeof NONE> {
  await expect(chain.use(() => new Promise(() => undefined))).rejects.toThrow('reached its time limit');
  return { ...NONE, open: 1 };
}

const reconcilePayments = vi.fn<typeof reconcileWithDispute>();

/**
 * Imports the jobs and the Inngest application with a mock of `@touchstone/payment`. The module cache is reset first,
 * because another test file in the same worker may have imported the real package.
 */
async function importWithFake() {
  vi.resetModules();
  vi.doMock('@touchstone/payment', () => ({ reconcilePayments }));
  const [{ JOB }, { startApplication }] = await Promise.all([
    import('../jobs.ts'),
    import('../testing/inngest/inngest-application.ts'),
  ]);
  return { job: JOB.reconcile, startApplication };
}

let fakes: Awaited<ReturnType<typeof importWithFake>>;
beforeAll(async () => {
  fakes = await importWithFake();
});
afterAll(() => {
  vi.doUnmock('@touchstone/payment');
  vi.resetModules();
});

describe('the job reconcile', () => {
  it('sums the networks and reports disputes to the operator', async () => {
    reconcilePayments.mockImplementation(reconcileWithDispute);
    expect(await fakes.job.run(context)).toEqual({
      ...{ settled: 1, failed: 0, audited: 2, disputed: 1, open: 0 },
      disputes: ['nonce 0x1 is unused on the chain'],
    });
  });

  it('returns only counts without disputes, and zeros without networks', async () => {
    reconcilePayments.mockResolvedValue({ ...NONE, open: 3 });
    expect(await fakes.job.run(context)).toEqual({ ...NONE, open: 6 });
    expect(await fakes.job.run({ ...context, chains: [] })).toEqual(NONE);
  });

  it('has one Inngest step per network, returns disputes and logs them once as errors', async () => {
    reconcilePayments.mockImplementation(reconcileWithDispute);
    const application = await fakes.startApplication(() => context);
    await application.register();
    const run = await application.inngest.run('touchstone-reconcile');
    expect(run.failed).toBe(false);
    expect(run.steps).toEqual([`reconcile ${BASE}`, `reconcile ${POLYGON}`]);
    expect(run.output).toMatchObject({ disputed: 1, disputes: ['nonce 0x1 is unused on the chain'] });
    expect(application.errors).toEqual(['nonce 0x1 is unused on the chain']);
    await application.close();
  });

  it('ends each Inngest step before the time limit of the platform while no provider responds', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const spy = vi.spyOn(AbortSignal, 'timeout');
    spy.mockImplementation((ms) => timeout(ms === STEP_MS ? 100 : ms));
    reconcilePayments.mockImplementation(reconcileSilently);
    const application = await fakes.startApplication(() => context);
    await application.register();
    const run = await application.inngest.run('touchstone-reconcile');
    spy.mockRestore();
    await application.close();
    expect(run).toMatchObject({ failed: false, errors: 0, output: { ...NONE, open: 2 } });
  });
});
