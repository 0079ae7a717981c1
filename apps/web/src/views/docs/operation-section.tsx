import { formatUsd } from '@touchstone/common';
import { toSchemaPath, type Operation } from '@touchstone/contract';
import type { ReactNode } from 'react';
import type { createAllCodeExamples } from '../../operations/documents/code-examples.ts';
import { CodeBlock } from '../../page-parts/code-block.tsx';

type OperationExamples = ReturnType<typeof createAllCodeExamples>[number];

/** Section on one operation: description, price, code examples, parameters, request and response schemas, and errors. */
export function OperationSection({ operation, examples }: OperationExamples) {
  const { id, method, path, summary, description } = operation;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6 border-t border-line pt-6">
      <h3 id={`${id}-title`} className="text-xl font-bold">
        {summary}
      </h3>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-4 font-mono text-sm break-all">
        <span>
          <strong>{method}</strong> {path}
        </span>
        <span className="font-sans">{formatCost(operation)}</span>
      </p>
      <p className="mt-3 max-w-3xl wrap-anywhere">{description}</p>
      <div className="mt-4 space-y-2">
        {examples.map(({ language, code }, index) => (
          <details key={language} name={`${id}-example`} open={index === 0}>
            <summary className="cursor-pointer py-1 font-semibold">{language}</summary>
            <CodeBlock label={`${summary}, in ${language}`} code={code} />
          </details>
        ))}
      </div>
      <Specification operation={operation} />
    </section>
  );
}

/** Formats the price of an operation, and the secret that it needs. */
function formatCost({ priceUsd, security }: Operation): string {
  if (priceUsd !== null) return `${formatUsd(priceUsd)} per call`;
  return security === 'bearer' ? 'free, needs the secret of the watch' : 'free';
}

/** Authentication, parameters, schemas and error codes of an operation. */
function Specification({ operation }: { readonly operation: Operation }) {
  const { parameters, requestBody, response, security, problems } = operation;
  return (
    <dl className="mt-4 grid grid-cols-1 gap-x-6 gap-y-1 text-sm wrap-anywhere sm:grid-cols-[max-content_minmax(0,1fr)]">
      {security === 'none' ? null : (
        <Term title="Header">
          <code>Authorization: Bearer</code> and the secret of the watch, which begins with <code>wsk_</code>
        </Term>
      )}
      {parameters.length === 0 ? null : (
        <Term title="Parameters">
          <Parameters parameters={parameters} />
        </Term>
      )}
      {requestBody === null ? null : (
        <Term title="Request">
          <SchemaLink payload={requestBody} />
        </Term>
      )}
      <Term title="Response">
        <SchemaLink payload={response} />
      </Term>
      <Term title="Errors">{problems.join(', ')}</Term>
    </dl>
  );
}

function Term({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{title}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Parameters of an operation in its path and its query, each with its description and an example. */
function Parameters({ parameters }: Pick<Operation, 'parameters'>) {
  return (
    <ul className="space-y-1">
      {parameters.map(({ name, in: place, required, description, example }) => (
        <li key={name}>
          {place === 'query' ? (
            <>
              <code>{`${name}=${example}`}</code> in the query, {required ? 'required' : 'optional'}:{' '}
              {description}
            </>
          ) : (
            <>
              <code>{name}</code> in the path: {description} Example: <code>{example}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function SchemaLink({ payload }: { readonly payload: Operation['response'] }) {
  if (payload.published === null) return <>JSON</>;
  const { title, name } = payload.published;
  const path = toSchemaPath(name);
  return <a href={path}>{title}</a>;
}
