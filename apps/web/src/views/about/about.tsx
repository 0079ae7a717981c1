import { PageFrame } from '@touchstone/ui';
import type { Config } from '../../platform/config/config.ts';
import { Topic } from '../../page-parts/section.tsx';
import { ContactLink } from './contact-link.tsx';

type Operator = Pick<Config, 'operatorName' | 'apiContact' | 'privacyPolicyUrl' | 'securityContact'>;

/**
 * Page about the operator: who runs the service, contact, opt-out and privacy.
 *
 * @param props.notice Notice whose first sentence is at the top of every page; null if there is no notice.
 */
export function About({ operator, notice }: { readonly operator: Operator; readonly notice: string | null }) {
  const { operatorName, privacyPolicyUrl, apiContact } = operator;
  return (
    <PageFrame>
      <h1>About Touchstone</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Touchstone probes x402 endpoints about every 30 minutes, and says before a payment whether an endpoint
        deserves the payment. The <a href="/methodology">formula</a> is published. No endpoint can buy a
        better score.
      </p>
      <div className="mt-10 grid gap-x-12 gap-y-10 lg:grid-cols-2">
        {notice === null ? null : (
          <Topic id="notice" title="About this site">
            <p>{notice}</p>
          </Topic>
        )}
        <Topic title="Who runs it">
          <p>
            {operatorName === undefined
              ? 'The operator of this installation has not published a name.'
              : `This installation is run by ${operatorName}.`}
          </p>
        </Topic>
        <Contact operator={operator} />
        <OptOut contact={apiContact} />
        <Topic id="privacy" title="Privacy">
          <p>
            The site sets no cookies, loads nothing from other sites, and needs no account. IP addresses are
            used to limit the rate of requests. A purchase is recorded with the wallet that paid.
          </p>
          {privacyPolicyUrl === undefined ? null : (
            <p>
              <a href={privacyPolicyUrl} rel="noopener">
                Privacy policy of the operator
              </a>
            </p>
          )}
        </Topic>
      </div>
    </PageFrame>
  );
}

function OptOut({ contact }: { readonly contact: Operator['apiContact'] }) {
  return (
    <Topic id="opt-out" title="Opt out">
      <p>
        Probes are unpaid requests, at most a few per endpoint and hour. They name Touchstone in the header
        User-Agent. The provider of a host opts out with a <a href="/claim">claim</a>, without an account:
        probes, <a href="/delivery">test purchases</a> and listing stop, and the pages state the opt-out
        instead of a score. Test purchases of the past stay in the ledger. The operator can also remove an
        endpoint: its page then responds with 410.
      </p>
      <p>
        {contact === undefined ? (
          'This installation has no other channel to ask for it.'
        ) : (
          <>
            To ask the operator, or to report a wrong verdict, write to <ContactLink contact={contact} />.
          </>
        )}
      </p>
    </Topic>
  );
}

function Contact({ operator: { apiContact, securityContact } }: { readonly operator: Operator }) {
  return (
    <Topic title="Contact">
      <p>
        {apiContact === undefined ? (
          <>
            The operator of this installation has not published a contact. The setting{' '}
            <code>API_CONTACT</code> publishes one.
          </>
        ) : (
          <ContactLink contact={apiContact} />
        )}
      </p>
      {securityContact === undefined ? null : (
        <p>
          Vulnerabilities: <ContactLink contact={securityContact} />, also in{' '}
          <a href="/.well-known/security.txt">security.txt</a>.
        </p>
      )}
    </Topic>
  );
}
