import { STACKS } from '@touchstone/x402';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import { Section } from '../../page-parts/section.tsx';
import type { CheckCode } from './load-check.ts';

/** Classes that show the code while its stack is selected. Tailwind needs the complete names of the classes. */
const SHOWN: Readonly<Record<CheckCode['stack'], string>> = {
  express: 'group-has-[[value=express]:checked]/code:block',
  hono: 'group-has-[[value=hono]:checked]/code:block',
  next: 'group-has-[[value=next]:checked]/code:block',
  fastapi: 'group-has-[[value=fastapi]:checked]/code:block',
  go: 'group-has-[[value=go]:checked]/code:block',
};

/** Repaired route as code for each stack. Tabs without JavaScript select the stack. */
export function CheckCodes({ codes }: { readonly codes: readonly CheckCode[] }) {
  const selected = codes.find(({ isRecognized }) => isRecognized) ?? codes[0];
  if (selected === undefined) return null;
  return (
    <Section id="code" title="The fix as code" className="mt-10">
      <p className="mt-2 max-w-3xl text-ink-soft">
        This route declares your payment terms with the corrected values.{' '}
        {selected.isRecognized
          ? `Your response names ${STACKS[selected.stack]} as its server.`
          : 'Your response does not name its server, so choose yours.'}
        {selected.repairs.length === 0 ? null : (
          <>
            {' '}
            It repairs{' '}
            {selected.repairs.map((id, index) => (
              <span key={id}>
                {index === 0 ? '' : ', '}
                <code className="[overflow-wrap:anywhere]">{id}</code>
              </span>
            ))}
            .
          </>
        )}
      </p>
      <div className="group/code mt-3 max-w-4xl">
        <fieldset className="flex flex-wrap text-sm">
          <legend className="sr-only">Server stack of the code</legend>
          {codes.map(({ stack }) => (
            <label
              key={stack}
              className="relative border-b-2 border-line px-3 py-2.5 has-checked:border-accent has-checked:font-semibold has-focus-visible:outline-2"
            >
              <input
                type="radio"
                name="stack"
                value={stack}
                defaultChecked={stack === selected.stack}
                className="absolute inset-0 cursor-pointer appearance-none"
              />
              {STACKS[stack]}
            </label>
          ))}
        </fieldset>
        {codes.map(({ stack, text }) => (
          <div key={stack} className={`hidden ${SHOWN[stack]}`}>
            <CodeBlock label={`Repaired route, ${STACKS[stack]}`} code={text} />
          </div>
        ))}
      </div>
    </Section>
  );
}
