import { PageFrame } from '@touchstone/ui';

/**
 * Container of the API explorer, a third-party component that needs JavaScript and a wide screen. If one of the two is
 * missing, the page shows links to the API reference and the OpenAPI document.
 */
export function Explorer() {
  return (
    <PageFrame current="docs">
      <h1 className="text-4xl leading-tight font-bold text-balance sm:text-5xl">API explorer</h1>
      <p className="mt-5 max-w-3xl text-lg text-ink-soft">
        Every field of every request and response, with a form to send requests. The form sends no payment, so
        a paid operation responds with its challenge. Payment steps, prices and code examples are in the{' '}
        <a href="/docs">API reference</a>.
      </p>
      <p className="mt-8 border-l-4 border-accent bg-panel px-4 py-3 md:hidden">
        The explorer needs a wider screen. The <a href="/docs">API reference</a> has every operation and every
        error, and the <a href="/openapi.json">OpenAPI document</a> has every field.
      </p>
      <div id="explorer" className="mt-8 hidden min-h-[80vh] md:block print:hidden">
        <noscript>
          <p className="border-l-4 border-accent bg-panel px-4 py-3">
            The explorer needs JavaScript. The <a href="/docs">API reference</a> works without it, and the{' '}
            <a href="/openapi.json">OpenAPI document</a> has every field.
          </p>
        </noscript>
        <p role="status" className="text-ink-soft"></p>
      </div>
    </PageFrame>
  );
}
