import { formatCount, formatNumber } from '@touchstone/common';
import { Timestamp, toPlainText } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import { Section } from '../../page-parts/section.tsx';
import { StateMark } from '../../page-parts/state-mark.tsx';
import { CheckTiming } from './check-timing.tsx';
import type { ShownCheck } from './load-check.ts';

interface Props {
  readonly check: ShownCheck;
}

/** Facts that are no faults: passed rules, connection, sizes, directories, guard and the response itself. */
export function CheckDetails({ check }: Props) {
  return (
    <>
      <Passed check={check} />
      <div className="mt-10 grid max-w-5xl gap-x-12 gap-y-8 lg:grid-cols-2">
        <CheckTiming check={check} />
        <Sizes check={check} />
        <Directories check={check} />
        <Guard check={check} />
      </div>
      <Response check={check} />
    </>
  );
}

function Passed({ check: { passed, skipped } }: Props) {
  if (passed.length === 0) return null;
  return (
    <Section id="passed" title="What was fine" className="mt-10">
      <details className="mt-1 max-w-4xl">
        <summary className="cursor-pointer py-2">
          {formatCount(passed.length, 'rule')} passed; {formatNumber(skipped)} did not apply
        </summary>
        <ul className="columns-2 gap-x-6 text-sm text-ink-soft sm:columns-3">
          {passed.map((id) => (
            <li key={id} className="py-0.5">
              <code className="[overflow-wrap:anywhere]">{id}</code>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

function Sizes({ check: { limits } }: Props) {
  if (limits.length === 0) return null;
  return (
    <Section id="sizes" title="Sizes against known limits">
      <ul className="mt-2">
        {limits.map(({ subject, measured, limit, unit, isExceeded, effect }) => (
          <li key={subject} className="border-t border-line py-2 text-sm">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span>{subject}</span>
              <span className="tabular-nums">
                {formatNumber(measured)} of {formatNumber(limit)} {unit}{' '}
                <StateMark kind={isExceeded ? 'bad' : 'good'}>{isExceeded ? 'Too large' : 'Fits'}</StateMark>
              </span>
            </p>
            {isExceeded ? <p className="text-ink-soft">{effect}</p> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Directories({ check: { directories, extensionResponses } }: Props) {
  return (
    <Section id="directories" title="Directories">
      <p className="mt-2">{directories === null ? NOT_LISTED : <Listing directories={directories} />}</p>
      {extensionResponses === null ? null : (
        <>
          <p className="mt-2 text-sm text-ink-soft">
            EXTENSION-RESPONSES of your response, in which a facilitator explains refused extensions:
          </p>
          <CodeBlock label="Header EXTENSION-RESPONSES" code={extensionResponses} isWrapped />
        </>
      )}
    </Section>
  );
}

const NOT_LISTED =
  'No directory that Touchstone reads lists this URL. A directory often lists an endpoint after its first settled payment.';

function Listing({ directories }: { readonly directories: NonNullable<ShownCheck['directories']> }) {
  const { endpointPage, status, names, delistedAt } = directories;
  return (
    <>
      {status === 'listed' ? (
        `Listed${names.length === 0 ? '' : ` in ${names.map((name) => toPlainText(name, 60)).join(', ')}`}.`
      ) : (
        <>
          Delisted
          {delistedAt === null ? null : (
            <>
              {' '}
              since <Timestamp iso={delistedAt} />
            </>
          )}
          : no directory lists the URL any more.
        </>
      )}{' '}
      <a href={URL.parse(endpointPage)?.pathname}>Score and history of this endpoint</a>
    </>
  );
}

const DECISIONS = {
  pay: ['good', 'Lets the payment pass'],
  warn: ['warn', 'Lets the payment pass, with a warning'],
  abort: ['bad', 'Stops the payment'],
} as const;

/** Decision of the guard, which many buyers run before each payment. */
function Guard({ check: { guard } }: Props) {
  if (guard === null) return null;
  const [kind, word] = DECISIONS[guard.decision];
  return (
    <Section id="guard" title="What buyers with the guard see">
      <p className="mt-2">
        <StateMark kind={kind}>{word}</StateMark>
      </p>
      <ul className="mt-1 list-disc pl-6 text-sm text-ink-soft">
        {guard.reasons.map((reason) => (
          <li key={reason} className="[overflow-wrap:anywhere]">
            {toPlainText(reason)}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-sm">
        <a href="/mcp#guard">What the guard does</a>
      </p>
    </Section>
  );
}

/** Quoted parts of the response. All of them are untrusted text. */
function Response({ check: { response } }: Props) {
  if (response === null) return null;
  const { headers, headerBytes, terms, body } = response;
  return (
    <Section id="response" title="Your response" className="mt-10">
      <details className="mt-1 max-w-4xl">
        <summary className="cursor-pointer py-2">
          Headers ({formatNumber(headerBytes)} bytes), payment terms and body; invisible characters as escapes
        </summary>
        <Quotation title="Headers that matter">
          {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        </Quotation>
        <Quotation title="PAYMENT-REQUIRED, decoded">{terms}</Quotation>
        <Quotation title="Body">{body}</Quotation>
      </details>
    </Section>
  );
}

function Quotation({
  title,
  children,
}: {
  readonly title: string;
  readonly children: string | null;
}): ReactNode {
  if (children === null || children === '') return null;
  return (
    <>
      <h3 className="mt-3 text-base font-semibold">{title}</h3>
      <CodeBlock label={title} code={children} />
    </>
  );
}
