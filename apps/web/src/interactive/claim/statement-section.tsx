import { Timestamp } from '@touchstone/ui';
import { TextField } from '../../page-parts/form-parts.tsx';
import { Section } from '../../page-parts/section.tsx';
import { RemovableItem, SectionForm, useDraft } from './form.tsx';
import { getRootUrl, useEdit, useSession } from './session.ts';

/** Maximum length of a statement, in characters. */
const MAX_CHARS = 280;

/** Statements beside failed rules, flags and events, with a form for another one. */
export function StatementSection() {
  const { claim } = useSession();
  const { edit, ...state } = useEdit();
  const { settings } = claim;
  const statements = settings.statements.map(({ resource, subject, text }) => ({ resource, subject, text }));
  const { draft, bind, clear } = useDraft({ resource: getRootUrl(claim), subject: '', text: '' });
  const { resource, subject, text } = draft;
  const add = () => {
    const added = { resource: resource.trim(), subject: subject.trim(), text: text.trim() };
    edit({ statements: [...statements, added] }, clear);
  };
  return (
    <Section id="statements" title="Statements" className="mt-12">
      <p className="mt-2 max-w-3xl text-ink-soft">
        A statement is shown beside a failed rule, a flag or an event of your endpoint, as your words. It
        changes no score.
      </p>
      <ul className="mt-3 max-w-3xl">
        {settings.statements.map((each, index) => (
          <RemovableItem
            key={`${each.resource} ${each.subject}`}
            label={each.text}
            onRemove={() => edit({ statements: statements.filter((_, other) => other !== index) })}
          >
            <p>
              <bdi>“{each.text}”</bdi>
            </p>
            <p className="text-sm text-ink-soft">
              <code>{each.subject}</code> of <bdi className="font-mono">{each.resource}</bdi>,{' '}
              <Timestamp iso={each.stated_at} />
            </p>
          </RemovableItem>
        ))}
      </ul>
      <SectionForm state={state} button="Add the statement" done="Saved." onSubmit={add}>
        <TextField
          label="URL of the endpoint"
          hint="As its page shows it."
          field={{ type: 'text', ...bind('resource') }}
        />
        <TextField
          label="Subject"
          hint="Name of the flag, id of the failed rule or of the event, such as down-now."
          field={{ type: 'text', ...bind('subject') }}
        />
        <TextField
          label="Your words"
          hint={`One line of at most ${MAX_CHARS} characters, without links, addresses and other ways of contact.`}
          field={{ type: 'text', maxLength: MAX_CHARS, ...bind('text') }}
        />
      </SectionForm>
    </Section>
  );
}
