import { PageFrame } from '@touchstone/ui';
import { CodeBlock, CopyScript } from '../../page-parts/code-block.tsx';
import { StartFields } from './start-fields.tsx';

/**
 * Page of claims: what a claim gives, and a container with the forms that create and open a claim. The page script
 * replaces the forms by usable ones. The page is the same for everyone, because only the script receives the data of a
 * claim. The calls of the API are always visible, because a page cannot notice that its script does not run.
 *
 * @param props.baseUrl Public origin of the service.
 */
export function ClaimShell({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <PageFrame>
      <h1>Claim your host</h1>
      <p className="mt-3 max-w-3xl text-lg text-ink-soft">
        Prove that you control the host of your endpoints, without an account: publish one line on it, or in
        its DNS. A claim is free, changes no score, and ends when the line is gone.
      </p>
      <div id="claim-root" className="mt-8 has-[>div>[inert]]:cursor-not-allowed">
        <StartFields />
      </div>
      <section aria-labelledby="gives" className="mt-14 max-w-3xl">
        <h2 id="gives">What a claim gives</h2>
        <ul className="mt-3 list-disc space-y-1 pl-6">
          <li>A probe and a new score at once, after a repair.</li>
          <li>Your words beside a failed rule, a flag or an event of your endpoint.</li>
          <li>Maintenance that you announce, shown beside the uptime.</li>
          <li>A contact for security reports on the page of the host.</li>
          <li>Free notices of outages and changed payTo addresses.</li>
          <li>Opting out of probing and listing.</li>
        </ul>
      </section>
      <section aria-labelledby="api" className="mt-10 max-w-3xl">
        <h2 id="api">The same without this form</h2>
        <p className="mt-2 text-ink-soft">
          The form needs JavaScript. The <a href="/docs#createClaim">API</a> has the same operations:
        </p>
        <CodeBlock
          label="Create and verify a claim, with curl"
          code={[
            `curl -s ${baseUrl}/v1/claim -H 'content-type: application/json' -d '{"host":"api.example.com"}'`,
            '# Store the secret, and publish the line. Then:',
            `curl -s -X POST ${baseUrl}/v1/claim/c_…/verify -H 'authorization: Bearer csk_…' \\`,
            `  -H 'content-type: application/json' -d '{"host":"api.example.com"}'`,
          ].join('\n')}
          isWrapped
        />
      </section>
      <CopyScript />
    </PageFrame>
  );
}
