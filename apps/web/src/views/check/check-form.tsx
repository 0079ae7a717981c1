import { CHECK_METHODS } from '@touchstone/contract/operations/check/operation';
import { Button, FIELD_CLASS } from '../../page-parts/form-parts.tsx';
import type { CheckParams } from './check-params.ts';

/**
 * Form that checks a URL. It works without JavaScript.
 *
 * @param props.params Values that the fields contain at first.
 */
export function CheckForm({
  params: { url, method },
  button = 'Check now',
}: {
  readonly params: Pick<CheckParams, 'url' | 'method'>;
  readonly button?: string;
}) {
  return (
    <form action="/check" method="post" className="mt-6 max-w-4xl">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_13rem]">
        <div>
          <label htmlFor="check-url" className="block font-semibold">
            URL of the endpoint
          </label>
          <input
            id="check-url"
            name="url"
            type="text"
            inputMode="url"
            required
            defaultValue={url ?? ''}
            placeholder="https://api.example.com/v1/weather"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby="check-hint"
            className={`mt-2 h-12 font-mono placeholder:text-ink-soft ${FIELD_CLASS}`}
          />
        </div>
        <MethodField method={method} />
      </div>
      <p id="check-hint" className="mt-2 text-sm text-ink-soft">
        Touchstone requests the URL from the internet, without a payment, at most a few times. Most checks
        take less than five seconds. The result has its own page for 24 hours, which everybody with its URL
        can read. It enters no score and no directory.
      </p>
      <div className="mt-4">
        <Button look="main" type="submit">
          {button}
        </Button>
      </div>
    </form>
  );
}

function MethodField({ method }: Pick<CheckParams, 'method'>) {
  return (
    <div>
      <label htmlFor="check-method" className="block font-semibold">
        Method
      </label>
      <select
        id="check-method"
        name="method"
        defaultValue={method ?? ''}
        className={`mt-2 h-12 ${FIELD_CLASS}`}
      >
        <option value="">Find it for me</option>
        {CHECK_METHODS.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </div>
  );
}
