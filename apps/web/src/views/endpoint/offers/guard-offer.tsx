import type { Snapshot } from '@touchstone/store';
import { formatCliCommand } from '../../../docs/cli-command.ts';
import { quoteForShell } from '../../../docs/code-examples.ts';
import { Section } from '../section.tsx';
import { createGuardExample, createGuardSetup } from '../../mcp/guard-example.ts';
import { CodeBlock } from '../../shared/code-block.tsx';

/** Free check of a payment to the endpoint: the guard as a command and in a program. */
export function GuardOffer({
  snapshot: { resource, templated },
  baseUrl,
}: {
  readonly snapshot: Snapshot;
  readonly baseUrl: string;
}) {
  return (
    <Section id="guard" title="Check before you pay">
      <p className="max-w-3xl text-ink-soft">
        The guard is free. It compares the wallet, token, network and price that this endpoint asks for now
        with the observed ones, and stops a payment that differs.
        {templated ? ' Replace each placeholder of the URL with a real value.' : ''}
      </p>
      <CodeBlock
        label="Guard, command"
        code={formatCliCommand(baseUrl, ['guard', quoteForShell(resource)])}
        isWrapped
      />
      <details className="mt-4 border-y border-line">
        <summary className="cursor-pointer py-2 font-semibold">In your own code (TypeScript)</summary>
        <div className="pb-4">
          <p className="text-ink-soft">
            Checks each payment before it is signed. <a href="/mcp#guard">How the guard works</a>
          </p>
          <CodeBlock label="Install the guard" code={createGuardSetup(baseUrl)} isWrapped />
          <CodeBlock label="Guard, in TypeScript" code={createGuardExample(baseUrl)} />
        </div>
      </details>
    </Section>
  );
}
