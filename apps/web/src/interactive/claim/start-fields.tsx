import type { ComponentProps, ReactNode } from 'react';
import { Button, ErrorMessage, TextField } from '../../page-parts/form-parts.tsx';

interface FormState {
  readonly isRunning: boolean;
  readonly failure: string | null;
  readonly onSubmit: () => void;
}

interface StartFieldsProps {
  readonly hostField?: ComponentProps<'input'>;
  readonly openFields?: Readonly<Record<'host' | 'id' | 'secret', ComponentProps<'input'>>>;
  /** Without a state, the forms are pale and cannot be used. */
  readonly create?: FormState;
  readonly open?: FormState;
}

/**
 * Fields of both forms. The server renders the same fields without a state, so the content of the page does not move when
 * the page script replaces them. No form is submitted to a URL, so the secret cannot get into the address bar.
 */
export function StartFields({ hostField, openFields, create, open }: StartFieldsProps) {
  return (
    <div className="grid gap-x-12 gap-y-10 noscript:hidden lg:grid-cols-2">
      <Form title="1. Get your line" button="Create a claim" state={create}>
        <TextField
          label="Host of your endpoints"
          hint="Such as api.example.com. It needs an endpoint in the catalog. Subdomains are separate hosts."
          field={{ type: 'text', inputMode: 'url', ...hostField }}
        />
      </Form>
      <Form title="Or open a claim that you have" button="Open the claim" state={open}>
        <TextField
          label="Claim id"
          hint="Begins with c_. It is in the line that you published."
          field={{ type: 'text', ...openFields?.id }}
        />
        <TextField
          label="Secret"
          hint="Begins with csk_. It was shown once, when the claim was created."
          // With any other value, browsers offer to store the text of a password field.
          field={{ type: 'password', autoComplete: 'one-time-code', ...openFields?.secret }}
        />
        <TextField
          label="Host, if it is not verified yet"
          hint="Then the line is read now."
          field={{ type: 'text', inputMode: 'url', ...openFields?.host }}
        />
      </Form>
    </div>
  );
}

function Form({
  title,
  button,
  state,
  children,
}: {
  readonly title: string;
  readonly button: string;
  readonly state: FormState | undefined;
  readonly children: ReactNode;
}) {
  return (
    <form
      className="min-w-0 space-y-5 inert:opacity-50"
      autoComplete="off"
      noValidate
      inert={state === undefined}
      // The server cannot render a handler.
      onSubmit={
        state &&
        ((event) => {
          event.preventDefault();
          state.onSubmit();
        })
      }
    >
      <h2>{title}</h2>
      {children}
      {state === undefined || state.failure === null ? null : <ErrorMessage>{state.failure}</ErrorMessage>}
      <Button look="main" type="submit" aria-disabled={state?.isRunning === true}>
        {state?.isRunning === true ? 'One moment…' : button}
      </Button>
    </form>
  );
}
