import { formatCount } from '@touchstone/common';
import { toPlainText } from '@touchstone/ui';
import { Section } from '../../page-parts/section.tsx';
import { StateMark, type MarkKind } from '../../page-parts/state-mark.tsx';
import type { ShownCheck } from './load-check.ts';

type Fault = ShownCheck['faults'][number];

/** Failed rules with cause, evidence, fix and source. Hints are closed at first, so that the faults come first. */
export function CheckFaults({ faults }: Pick<ShownCheck, 'faults'>) {
  const serious = faults.filter(({ severity }) => severity !== 'info');
  const hints = faults.filter(({ severity }) => severity === 'info');
  if (faults.length === 0) return null;
  return (
    <Section id="faults" title="What to change" className="mt-10">
      {serious.length === 0 ? (
        <p className="mt-3 text-ink-soft">No error and no warning.</p>
      ) : (
        <ol className="mt-3 max-w-4xl border-b border-line">
          {serious.map((fault) => (
            <FaultItem key={fault.id} fault={fault} />
          ))}
        </ol>
      )}
      {hints.length === 0 ? null : (
        <details className="max-w-4xl border-b border-line">
          <summary className="cursor-pointer py-2.5">
            {formatCount(hints.length, 'hint')} without effect on payments
          </summary>
          <ol>
            {hints.map((fault) => (
              <FaultItem key={fault.id} fault={fault} />
            ))}
          </ol>
        </details>
      )}
    </Section>
  );
}

/** Mark and meaning of a severity. */
const SEVERITIES: Readonly<Record<Fault['severity'], readonly [MarkKind, string]>> = {
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  info: ['info', 'Hint'],
};

/** Consequence of a fault by the subject of its rule, for an error and for any other severity. */
const CONSEQUENCES: Readonly<Record<Fault['axis'], readonly [error: string, other: string]>> = {
  payable: ['stops payments, or loses them', 'can stop some clients'],
  hygiene: ['breaks the protocol', 'makes clients slower or less safe'],
  discoverable: ['keeps the endpoint out of directories', 'makes the endpoint harder to find'],
};

function FaultItem({ fault }: { readonly fault: Fault }) {
  const { id, axis, severity, message, fix, reference, evidence } = fault;
  const [kind, word] = SEVERITIES[severity];
  return (
    <li id={`rule-${id}`} className="scroll-mt-6 border-t border-line py-4">
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-ink-soft">
        <StateMark kind={kind}>{word}</StateMark>
        <span>{CONSEQUENCES[axis][severity === 'error' ? 0 : 1]}</span>
        <code className="[overflow-wrap:anywhere]">{id}</code>
      </p>
      <h3 className="mt-1 text-lg leading-snug font-semibold [overflow-wrap:anywhere]">
        {toPlainText(message)}
      </h3>
      {evidence === null ? null : <Evidence evidence={evidence} />}
      <p className="mt-2 [overflow-wrap:anywhere]">
        <strong>Fix: </strong>
        {toPlainText(fix)}
      </p>
      <p className="mt-1 text-sm [overflow-wrap:anywhere] text-ink-soft">Source: {toPlainText(reference)}</p>
    </li>
  );
}

/** Quotation of the part of the response that breaks a rule. The text is untrusted. */
function Evidence({
  evidence: { place, path, excerpt },
}: {
  readonly evidence: NonNullable<Fault['evidence']>;
}) {
  return (
    <figure className="mt-2">
      <figcaption className="text-sm text-ink-soft">
        Your response, {toPlainText(place)}
        {path === null ? '' : `, ${toPlainText(path)}`}
      </figcaption>
      <pre className="mt-1 border-l-4 border-line bg-panel px-4 py-2 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        <bdi>{excerpt}</bdi>
      </pre>
    </figure>
  );
}
