import { PageFrame } from '@touchstone/ui';

/**
 * The place of the explorer, a component of others that needs a script and the room of a desktop. It says what to read
 * instead where either is missing.
 */
export function Explorer() {
  return (
    <PageFrame current="docs">
      <h1 className="text-4xl leading-tight font-bold text-balance sm:text-5xl">API explorer</h1>
      <p className="mt-5 max-w-3xl text-lg text-ink-soft">
        Every field of every request and answer, and calls from this page. How to pay, prices and programs are
        in the <a href="/docs">API reference</a>.
      </p>
      <p className="mt-8 border-l-4 border-accent bg-panel px-4 py-3 md:hidden">
        The explorer needs a wider screen. The <a href="/docs">API reference</a> has every operation and every
        error, and the <a href="/openapi.json">OpenAPI document</a> every field.
      </p>
      <div id="explorer" className="mt-8 hidden min-h-[80vh] md:block print:hidden">
        <noscript>
          <p className="border-l-4 border-accent bg-panel px-4 py-3">
            The explorer needs JavaScript. The <a href="/docs">API reference</a> does without, and the{' '}
            <a href="/openapi.json">OpenAPI document</a> has every field.
          </p>
        </noscript>
        <p role="status" className="text-ink-soft"></p>
      </div>
    </PageFrame>
  );
}
