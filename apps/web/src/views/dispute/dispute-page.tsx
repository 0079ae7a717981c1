import { FLAG_CATALOGUE } from '@touchstone/trust';
import { RULES } from '@touchstone/x402';
import { PageFrame } from '@touchstone/ui';
import type { ComponentProps } from 'react';
import { Button, ErrorMessage, FIELD_CLASS } from '../../page-parts/form-parts.tsx';
import { quoteForShell } from '../../operations/documents/code-examples.ts';
import { CodeBlock, CopyScript } from '../../page-parts/code-block.tsx';
import { FIELD_LABELS, formatFields, MAX_FORM_TEXT_CHARS, type DisputeFields } from './dispute-fields.ts';
import { toRequestBody, type PreparedDispute } from './prepare-dispute.ts';
import { describeDisputeProblem } from './dispute-problems.ts';

/** Metadata of the page. Search engines do not list the form. */
export const DISPUTE_METADATA = {
  title: 'Dispute a verdict',
  description:
    'How the provider of an x402 endpoint disputes its verdict, with a signature of its payTo wallet.',
  path: '/dispute',
  indexed: false,
} as const;

interface DisputePageProps {
  readonly fields: DisputeFields;
  /** Null before the form was filled in. */
  readonly prepared: PreparedDispute | null;
  readonly baseUrl: string;
}

/** Form with which a provider disputes a verdict: first its values, then the message to sign and the signature. */
export function DisputePage({ fields, prepared, baseUrl }: DisputePageProps) {
  const problem = describeDisputeProblem(fields.problem);
  return (
    <PageFrame>
      <h1>Dispute a verdict</h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        For the provider of an endpoint whose verdict is wrong. The dispute and the answer of the operator are
        public. A dispute changes no score by itself.
      </p>
      {problem === null ? null : (
        <div className="mt-4 max-w-2xl">
          <ErrorMessage>{problem}</ErrorMessage>
        </div>
      )}
      {prepared?.kind === 'mistakes' ? <Mistakes prepared={prepared} /> : null}
      {prepared?.kind === 'message' ? (
        <SignStep fields={fields} prepared={prepared} baseUrl={baseUrl} />
      ) : (
        <FirstStep fields={fields} />
      )}
      <Notes />
      <CopyScript />
    </PageFrame>
  );
}

function Mistakes({
  prepared: { mistakes },
}: {
  readonly prepared: PreparedDispute & { readonly kind: 'mistakes' };
}) {
  return (
    <div className="mt-4 max-w-2xl">
      <ErrorMessage>
        <ul>
          {mistakes.map((mistake) => (
            <li key={mistake}>{mistake}</li>
          ))}
        </ul>
      </ErrorMessage>
    </div>
  );
}

/** Text field with its label and hint. */
function TextField({
  name,
  label,
  hint,
  children,
  ...input
}: { readonly name: string; readonly label: string; readonly hint: string } & ComponentProps<'input'>) {
  return (
    <div>
      <label htmlFor={name} className="font-semibold">
        {label}
      </label>
      <input
        {...input}
        {...{ id: name, name, type: 'text', required: true }}
        className={FIELD_CLASS}
        aria-describedby={`${name}-hint`}
      />
      {children}
      <p id={`${name}-hint`} className="mt-1 text-sm text-ink-soft">
        {hint}
      </p>
    </div>
  );
}

/** Values of the dispute. The form is sent with GET, so it needs no script and changes nothing. */
function FirstStep({ fields: { resource, subject, text, wallet } }: { readonly fields: DisputeFields }) {
  return (
    <form action="/dispute" className="mt-6 max-w-2xl space-y-4">
      <TextField
        {...{ name: 'resource', label: FIELD_LABELS.resource, defaultValue: resource }}
        hint="Full URL, as its page in the catalog shows it."
      />
      <TextField
        {...{ name: 'subject', label: FIELD_LABELS.subject, list: 'subjects', defaultValue: subject }}
        hint="The recommendation, or the name of a flag or of a compliance rule that the present verdict contains."
      >
        <Subjects />
      </TextField>
      <TextField
        {...{ name: 'text', label: FIELD_LABELS.text, maxLength: MAX_FORM_TEXT_CHARS, defaultValue: text }}
        hint={`Plain text without links and addresses, at most ${String(MAX_FORM_TEXT_CHARS)} characters. It is published.`}
      />
      <TextField
        {...{ name: 'wallet', label: FIELD_LABELS.wallet, placeholder: '0x…', defaultValue: wallet }}
        hint="Address on an EVM network that the endpoint advertises, or advertised in the last 90 days."
      />
      <Button type="submit" look="main">
        Show the message to sign
      </Button>
    </form>
  );
}

/** Suggestions for the subject: all flags and rules. */
function Subjects() {
  return (
    <datalist id="subjects">
      <option value="recommendation">The recommendation as a whole</option>
      {FLAG_CATALOGUE.map(({ slug, message }) => (
        <option key={slug} value={slug}>
          {message}
        </option>
      ))}
      {RULES.map(({ id, requirement }) => (
        <option key={id} value={id}>
          {requirement}
        </option>
      ))}
    </datalist>
  );
}

function SignStep({
  fields,
  prepared: { message, signedAt },
  baseUrl,
}: Pick<DisputePageProps, 'fields' | 'baseUrl'> & {
  readonly prepared: PreparedDispute & { readonly kind: 'message' };
}) {
  const { resource, subject, text, wallet } = fields;
  return (
    <>
      <h2 className="mt-6">Sign this message</h2>
      <p className="mt-1 max-w-2xl">
        Read the message first, because a link can fill in this form. Its text is published as the words of
        the owner of the wallet.{' '}
        <a href={`/dispute?${formatFields({ resource, subject, text })}`}>Change the values</a>
      </p>
      <p className="mt-1 max-w-2xl">
        Sign it with the wallet within 10 minutes. The signature pays nothing and permits nothing else. The
        command asks for the key; every wallet program that signs messages (personal_sign, EIP-191) works too.
      </p>
      <CodeBlock label="Message to sign" code={message} isWrapped />
      <CodeBlock
        label="Command that signs the message"
        code={`cast wallet sign --interactive ${quoteForShell(message)}`}
      />
      <form action="/dispute" method="post" className="mt-4 max-w-2xl space-y-4">
        {Object.entries({ resource, subject, text, wallet, signed_at: signedAt }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <TextField
          {...{ name: 'signature', label: 'Signature', placeholder: '0x…', autoComplete: 'off' }}
          hint="Begins with 0x."
        />
        <Button type="submit" look="main">
          Publish the dispute
        </Button>
      </form>
      <h2 className="mt-6">Or send it yourself</h2>
      <CodeBlock label="Command that sends the dispute" code={formatCurl(fields, signedAt, baseUrl)} />
    </>
  );
}

/** Formats the request with the values of the form as a command. */
function formatCurl(fields: DisputeFields, signedAt: string, baseUrl: string): string {
  const body = JSON.stringify(toRequestBody(fields, { signature: '0x…', signedAt }), null, 2);
  return [`curl ${baseUrl}/v1/dispute -H 'Content-Type: application/json' -d @- <<'EOF'`, body, 'EOF'].join(
    '\n',
  );
}

function Notes() {
  return (
    <ul className="mt-8 max-w-2xl list-disc space-y-1 pl-5 text-sm">
      <li>
        With a claim of the host, <a href="/docs#createDispute">the API</a> needs no signature.
      </li>
      <li>The wallet may be a contract (ERC-1271), if this service reads its network.</li>
      <li>One dispute per endpoint and subject is open at a time, and a wallet sends at most 5 a day.</li>
      <li>
        Answers are in the <a href="/corrections">corrections</a> and on the page of the endpoint.
      </li>
    </ul>
  );
}
