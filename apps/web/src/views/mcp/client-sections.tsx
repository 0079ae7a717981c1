import { CodeBlock } from '../shared/code-block.tsx';
import type { ClientSetup, SetupSample } from './client-setups.ts';

/** One section for each client. A section opens without JavaScript, and at most one is open. */
export function ClientSections({ setups }: { readonly setups: readonly ClientSetup[] }) {
  return (
    <div className="mt-4 border-b border-line">
      {setups.map((setup, index) => (
        <details
          key={setup.id}
          id={setup.id}
          name="client"
          open={index === 0}
          className="scroll-mt-6 border-t border-line"
        >
          <summary className="cursor-pointer py-3 text-lg font-semibold">{setup.name}</summary>
          <div className="grid gap-x-10 gap-y-6 pb-6 lg:grid-cols-2">
            <div className="min-w-0">
              <h3 className="font-semibold">Remote, without a wallet</h3>
              <Samples setup={setup} kind="remote" />
              {setup.installLink === null ? null : (
                <p className="mt-3">
                  <a href={setup.installLink}>Add to {setup.name} with one click</a>
                </p>
              )}
            </div>
            <div className="min-w-0">
              <h3 className="font-semibold">Local, pays from your wallet</h3>
              <Samples setup={setup} kind="local" />
            </div>
          </div>
        </details>
      ))}
    </div>
  );
}

function Samples({ setup, kind }: { readonly setup: ClientSetup; readonly kind: 'remote' | 'local' }) {
  return setup[kind].map((sample: SetupSample) => (
    <div key={sample.code} className="mt-1">
      <p className="text-ink-soft">{sample.instruction}</p>
      <CodeBlock label={`${setup.name}, ${kind}`} code={sample.code} isWrapped={sample.language !== 'json'} />
    </div>
  ));
}
