import { formatCount } from '@touchstone/common';
import type { ChangeEvent, ReactNode } from 'react';
import { type Counts, getCount } from '../choices.ts';
import { findIgnored, type TextParam } from '../list-filters.ts';
import { type ExploreParams, toExploreUrl } from '../explore-params.ts';

/** Handlers of a visitor's actions. They are undefined on the server: there, forms and links request a page. */
export interface ExploreActions {
  /** Applies all form fields immediately. */
  readonly onCommit: (form: HTMLFormElement) => void;
  /** Applies all fields of the form after a short time without another choice. */
  readonly onChoose: (form: HTMLFormElement) => void;
  /** Opens the page with the given parameters. */
  readonly onNavigate: (params: ExploreParams) => void;
}

interface FieldProps {
  readonly name: string;
  /** Handlers of a visitor's actions; undefined on the server. */
  readonly actions: ExploreActions | undefined;
}

const FIELD_CLASS = 'mt-1 w-full min-w-0 rounded-none border border-edge bg-panel px-3 py-2';

/** Group of fields with a legend. */
export function FieldGroup({ legend, children }: { readonly legend: string; readonly children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold">{legend}</legend>
      {children}
    </fieldset>
  );
}

interface CheckboxesProps<Value extends string> extends FieldProps {
  readonly values: readonly Value[];
  /** Numbers of endpoints by value; undefined if they were not counted. */
  readonly counts: Counts | undefined;
  readonly checked: readonly string[];
  readonly format: (value: Value) => ReactNode;
}

/** Checkboxes of a filter, one for each value. A change is applied without a button. */
export function Checkboxes<Value extends string>({
  name,
  values,
  counts,
  checked,
  format,
  actions,
}: CheckboxesProps<Value>) {
  return values.map((value) => (
    <label key={value} className="flex min-h-9 cursor-pointer items-center gap-2.5">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={checked.includes(value)}
        className="size-4 shrink-0 accent-accent"
        onChange={toChoiceHandler(actions)}
      />
      {format(value)}
      <ChoiceCount endpoints={getCount(counts, value)} />
    </label>
  ));
}

function ChoiceCount({ endpoints }: { readonly endpoints: number | null }) {
  if (endpoints === null) return null;
  return <span className="ml-auto text-sm text-ink-soft tabular-nums">{formatCount(endpoints)}</span>;
}

interface SelectFieldProps extends FieldProps {
  readonly label: string;
  readonly value: string;
  /** Values with their labels. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Menu of a filter. A change is applied without a button. */
export function SelectField({ label, name, value, options, actions }: SelectFieldProps) {
  return (
    <label className="block min-w-0">
      <span className="font-semibold">{label}</span>
      <select name={name} defaultValue={value} className={FIELD_CLASS} onChange={toChoiceHandler(actions)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TextFieldProps extends FieldProps {
  readonly name: TextParam;
  readonly label: string;
  readonly value: string | null;
  /**
   * Invalid values of the URL or of the form. If one of them is the value of this field, the field shows the value with
   * the expected format.
   */
  readonly ignored: readonly string[];
  readonly inputMode: 'decimal' | 'url';
  readonly placeholder: string;
}

/** Text field of a filter. A change is applied when the visitor leaves the field or presses the Enter key. */
export function TextField({ label, name, value, ignored, inputMode, placeholder, actions }: TextFieldProps) {
  const error = findIgnored(ignored, name);
  const errorId = `filter-error-${name}`;
  const shown = error?.value ?? value ?? '';
  return (
    <div className="min-w-0">
      <label className="block">
        <span className="font-semibold">{label}</span>
        <input
          type="text"
          name={name}
          defaultValue={shown}
          inputMode={inputMode}
          placeholder={placeholder}
          maxLength={260}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error === null ? undefined : true}
          aria-describedby={error === null ? undefined : errorId}
          className={`${FIELD_CLASS} placeholder:text-ink-soft placeholder:opacity-100 aria-invalid:border-bad`}
          onBlur={
            actions === undefined
              ? undefined
              : ({ currentTarget: { form, value: entered } }) => {
                  if (form !== null && entered.trim() !== shown) actions.onCommit(form);
                }
          }
        />
      </label>
      {error === null ? null : (
        <p id={errorId} className="mt-1 text-sm font-semibold text-bad">
          Not valid. {error.expected}
        </p>
      )}
    </div>
  );
}

/** Creates the handler that applies all form fields after a change of one field; undefined without actions. */
function toChoiceHandler(actions: ExploreActions | undefined) {
  if (actions === undefined) return undefined;
  return ({ currentTarget: { form } }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
    if (form !== null) actions.onChoose(form);
  };
}

interface FilterLinkProps {
  /** Parameters of the page that the link opens. */
  readonly params: ExploreParams;
  /** Handlers of a visitor's actions; undefined on the server. */
  readonly actions: ExploreActions | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * Link to the explore page with other parameters. In the browser, a plain click changes the page without a page load.
 */
export function FilterLink({ params, actions, className, children }: FilterLinkProps) {
  return (
    <a
      href={toExploreUrl(params)}
      className={className}
      onClick={
        actions === undefined
          ? undefined
          : (event) => {
              const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
              if (event.button !== 0 || !isPlain) return;
              event.preventDefault();
              actions.onNavigate(params);
            }
      }
    >
      {children}
    </a>
  );
}
