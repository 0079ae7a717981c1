import type { TrpcContext } from '../trpc.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('The test does not expect this call'));

/** Creates a store for procedures. Methods that the test does not provide fail. */
export function createTestStore(methods: Partial<TrpcContext['store']> = {}): TrpcContext['store'] {
  return { explore: refuse, findNearest: refuse, suggest: refuse, ...methods };
}
