import { formatUsd } from '@touchstone/common';
import { toSchemaPath, type Operation, type ProblemCode } from '@touchstone/contract';
import type { ReactNode } from 'react';
import { CodedText } from './coded-text.tsx';
import { formatEntryPrice, type DocsEntry } from './list-entries.ts';
import { OperationPanel } from './operation-panel.tsx';
import { RequestFields } from './request-fields.tsx';

/**
 * Section on one operation: description, price, parameters, fields of the request, schemas and errors. A panel beside
 * the text has the code examples and an example of the response.
 */
export function OperationSection({
  entry,
  challenge,
}: {
  readonly entry: DocsEntry;
  /** Challenge of a paid operation as JSON; null for a free operation. */
  readonly challenge: string | null;
}) {
  const { operation, title, description, sizes } = entry;
  const { id, method, path } = operation;
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-6 grid-cols-1 gap-x-8 gap-y-6 border-t border-line pt-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]"
    >
      <div className="min-w-0">
        <h3 id={`${id}-title`}>{title}</h3>
        <p className="mt-1 font-mono text-sm wrap-anywhere">
          <strong>{method}</strong> {path}
        </p>
        <p className="mt-1 text-sm font-semibold">{formatCost(entry)}</p>
        <p className="mt-3 wrap-anywhere">
          <CodedText text={description} />
        </p>
        {sizes.length === 0 ? null : <SizeTable sizes={sizes} />}
        <Specification operation={operation} />
      </div>
      <OperationPanel entry={entry} challenge={challenge} />
    </section>
  );
}

/** Formats the price of an entry, and the secret that it needs. */
function formatCost(entry: DocsEntry): string {
  const { priceUsd, security } = entry.operation;
  if (priceUsd !== null) return `${formatEntryPrice(entry)} per call`;
  return security === 'bearer' ? 'free, needs the secret of the watch' : 'free';
}

/** Table of the bulk operations: maximum number of URLs, path and price. The first size is the id of the section. */
function SizeTable({ sizes }: { readonly sizes: readonly Operation[] }) {
  return (
    <table className="mt-4 w-full text-left text-sm">
      <caption className="sr-only">Sizes and prices</caption>
      <thead>
        <tr className="border-b border-line">
          <th scope="col" className="py-2 pr-3">
            URLs
          </th>
          <th scope="col" className="py-2 pr-3">
            Path
          </th>
          <th scope="col" className="py-2 text-right">
            Price
          </th>
        </tr>
      </thead>
      <tbody>
        {sizes.map(({ id, path, priceUsd }, index) => (
          <tr
            key={id}
            {...(index === 0 ? {} : { id })}
            className="border-b border-line align-top tabular-nums"
          >
            <th scope="row" className="py-2 pr-3 font-normal whitespace-nowrap">
              up to {path.slice(path.lastIndexOf('-') + 1)}
            </th>
            <td className="py-2 pr-3 font-mono wrap-anywhere">{path}</td>
            <td className="py-2 text-right">{priceUsd === null ? 'free' : formatUsd(priceUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Authentication, parameters, fields, schemas and error codes of an operation. */
function Specification({ operation }: { readonly operation: Operation }) {
  const { parameters, requestBody, response, security, problems } = operation;
  return (
    <dl className="mt-4 space-y-3 text-sm wrap-anywhere">
      {security !== 'bearer' ? null : (
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
        <Term title="Request body">
          <RequestFields requestBody={requestBody} />
          <SchemaLink payload={requestBody} />
        </Term>
      )}
      <Term title="Response">
        <SchemaLink payload={response} />
      </Term>
      <Term title="Errors">
        <Problems codes={problems} />
      </Term>
    </dl>
  );
}

function Term({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{title}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
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
              <CodedText text={description} />
            </>
          ) : (
            <>
              <code>{name}</code> in the path: <CodedText text={description} /> Example:{' '}
              <code>{example}</code>
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
  return <a href={toSchemaPath(name)}>{`${title} (JSON Schema)`}</a>;
}

/** Error codes with links to their explanations. */
function Problems({ codes }: { readonly codes: readonly ProblemCode[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1">
      {codes.map((code) => (
        <li key={code}>
          <a href={`#error-${code}`} className="inline-block py-0.5 font-mono">
            {code}
          </a>
        </li>
      ))}
    </ul>
  );
}
