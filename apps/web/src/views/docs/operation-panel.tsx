import type { Operation } from '@touchstone/contract';
import type { CodeExample } from '../../operations/documents/code-examples.ts';
import { CodeBlock } from '../../page-parts/code-block.tsx';
import type { DocsEntry } from './list-entries.ts';

/** Classes that show an example while its language is selected. Tailwind needs the complete names of the classes. */
const SHOWN: Readonly<Record<CodeExample['language'], string>> = {
  curl: 'group-has-[[value=curl]:checked]/panel:block',
  TypeScript: 'group-has-[[value=TypeScript]:checked]/panel:block',
  Python: 'group-has-[[value=Python]:checked]/panel:block',
};

/**
 * Panel of one operation: the request in three languages, an example of the response, and a form that sends the
 * request. Without JavaScript, each panel has its own language. The script `docs.js` selects one language in all panels.
 */
export function OperationPanel({
  entry: { operation, title, examples },
  challenge,
}: {
  readonly entry: DocsEntry;
  /** Challenge of a paid operation as JSON; null for a free operation. */
  readonly challenge: string | null;
}) {
  const { id, response, security } = operation;
  return (
    <div className="group/panel min-w-0 xl:sticky xl:top-6 xl:self-start [&_pre]:max-h-[min(20rem,36dvh)] [&_pre]:overflow-auto [&_pre]:wrap-anywhere [&_pre]:whitespace-pre-wrap">
      <fieldset className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <legend className="sr-only">{`Language of the request: ${title}`}</legend>
        <span aria-hidden="true" className="font-semibold">
          Request
        </span>
        <span className="flex">
          {examples.map(({ language }, index) => (
            <label
              key={language}
              className="relative border-b-2 border-line px-3 py-1.5 max-sm:py-2.5 has-checked:border-accent has-checked:font-semibold"
            >
              <input
                type="radio"
                name={`${id}-language`}
                value={language}
                defaultChecked={index === 0}
                className="absolute inset-0 cursor-pointer appearance-none"
              />
              {language}
            </label>
          ))}
        </span>
      </fieldset>
      {examples.map(({ language, code }) => (
        <div key={language} className={`hidden ${SHOWN[language]}`}>
          <CodeBlock label={`${title}, in ${language}`} code={code} />
        </div>
      ))}
      {security === 'bearer' ? null : (
        <RequestForm operation={operation} title={title} challenge={challenge} />
      )}
      <p className="mt-4 text-sm font-semibold">Example response with made-up values, status 200</p>
      <CodeBlock label={`Example response: ${title}`} code={JSON.stringify(response.example, null, 2)} />
    </div>
  );
}

interface RequestFormProps {
  readonly operation: Operation;
  readonly title: string;
  readonly challenge: string | null;
}

/**
 * Form that sends the request of the example, or a changed request, without a payment. Sending needs JavaScript. Below
 * the form of a paid operation is its challenge, which the script replaces by the response of the service.
 */
function RequestForm({ operation, title, challenge }: RequestFormProps) {
  const { method, path, parameters, requestBody, priceUsd } = operation;
  const body = requestBody === null ? null : JSON.stringify(requestBody.example, null, 2);
  const action = priceUsd === null ? 'Send' : 'Send without payment';
  const inputClasses = 'mt-1 block w-full border border-edge bg-panel px-2 py-1.5 font-mono text-sm';
  return (
    <form data-method={method} data-path={path} className="mt-3">
      {body === null && parameters.length === 0 ? null : (
        <details className="text-sm noscript:hidden print:hidden">
          <summary className="cursor-pointer py-1">Change the request</summary>
          {parameters.map(({ name, in: place, required, example }) => (
            <label key={name} className="mt-2 block">
              {name}
              <input
                name={name}
                data-place={place}
                defaultValue={required ? example : ''}
                className={inputClasses}
              />
            </label>
          ))}
          {body === null ? null : (
            <label className="mt-2 block">
              Body
              <textarea
                data-body=""
                rows={Math.min(body.split('\n').length, 12)}
                defaultValue={body}
                spellCheck={false}
                className={inputClasses}
              />
            </label>
          )}
        </details>
      )}
      <button
        type="submit"
        aria-label={`${action}: ${title}`}
        className="mt-2 min-h-11 cursor-pointer border border-edge bg-panel px-4 font-semibold hover:border-accent hover:text-accent noscript:hidden print:hidden"
      >
        {action}
      </button>
      <p role="status" className="mt-2 text-sm">
        {challenge === null
          ? ''
          : 'Without a payment: status 402. Its header PAYMENT-REQUIRED, decoded and shortened:'}
      </p>
      {challenge === null ? null : <CodeBlock label={`Challenge: ${title}`} code={challenge} />}
    </form>
  );
}
