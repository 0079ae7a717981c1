import { ChainUnreadableError, type Providers } from '@touchstone/chain';
import { runUntilAborted } from '../run-until-aborted.ts';

type Provider = Parameters<Parameters<Providers['use']>[0]>[0];

/**
 * Returns providers whose readings end when the signal is aborted. A reading then rejects at once with
 * `ChainUnreadableError` and makes no further call; the response to its current call is ignored. Without a signal, the
 * given providers are returned.
 */
export function limitProviders(providers: Providers, signal: AbortSignal | undefined): Providers {
  if (signal === undefined) return providers;
  const { network, use } = providers;
  const limit = <Result>(run: () => Promise<Result>): Promise<Result> =>
    runUntilAborted(
      run,
      signal,
      () =>
        new ChainUnreadableError(network, ['the job reached its time limit before the providers responded']),
    );
  const limitProvider = (provider: Provider): Provider => ({
    label: provider.label,
    call: (...call) => limit(() => provider.call(...call)),
    callMany: (...calls) => limit(() => provider.callMany(...calls)),
  });
  return {
    network,
    // The whole reading is limited too, because it pauses between two attempts.
    use: (work) =>
      limit(() => use((provider, others) => work(limitProvider(provider), others.map(limitProvider)))),
  };
}
