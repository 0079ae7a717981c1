import { Timestamp } from '@touchstone/ui';
import { useState } from 'react';
import { Button, ErrorMessage, TextField } from '../../page-parts/form-parts.tsx';
import { Section } from '../../page-parts/section.tsx';
import { SectionForm } from './form.tsx';
import { useEdit, useSession } from './session.ts';

/** Contact for security reports. */
export function ContactSection() {
  const { claim } = useSession();
  const { edit, ...state } = useEdit();
  const [contact, setContact] = useState(claim.settings.contact ?? '');
  return (
    <Section id="contact" title="Contact for security reports" className="mt-12">
      <SectionForm
        state={state}
        button="Save the contact"
        done="Saved."
        onSubmit={() => edit({ contact: contact.trim() === '' ? null : contact.trim() })}
      >
        <TextField
          label="E-mail address or https URL"
          hint="The page of your host shows it. Leave it empty to show none."
          field={{ type: 'text', value: contact, onChange: ({ target }) => setContact(target.value) }}
        />
      </SectionForm>
    </Section>
  );
}

const QUESTION =
  'Opt out? Probing stops, the endpoints leave all lists and the search, and their pages show the opt-out instead of a score.';

/** Opt-out of probing and listing, which can be reversed. */
export function OptOutSection() {
  const { claim } = useSession();
  const { edit, isRunning, failure } = useEdit();
  const since = claim.settings.opted_out_at;
  return (
    <Section id="opt-out" title="Opt out" className="mt-12">
      <p className="mt-2 max-w-3xl">
        {since === null ? (
          'Without probes, Touchstone cannot recommend your endpoints, and the guard of buyers refuses to pay them by default. Their pages stay, state the opt-out, and keep past changes of the payTo address. Test purchases of the past stay in the ledger.'
        ) : (
          <>
            Opted out since <Timestamp iso={since} />. No endpoint of the host is probed or listed.
          </>
        )}
      </p>
      <div className="mt-4 space-y-4">
        <Button
          look={since === null ? 'danger' : 'plain'}
          aria-disabled={isRunning}
          onClick={() => {
            if (since !== null || confirm(QUESTION)) edit({ opt_out: since === null });
          }}
        >
          {since === null ? 'Opt out of probing and listing…' : 'End the opt-out'}
        </Button>
        {failure === null ? null : <ErrorMessage>{failure}</ErrorMessage>}
      </div>
    </Section>
  );
}
