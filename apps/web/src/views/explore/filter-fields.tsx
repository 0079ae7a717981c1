import type { ReactNode } from 'react';
import type { ExploreActions } from './explore-view.tsx';

interface FieldProps {
  readonly name: string;
  /** Reactions to a change; absent on the server. */
  readonly actions: ExploreActions | undefined;
}

const FIELD_CLASS = 'mt-1 w-full min-w-0 rounded-none border border-edge bg-panel px-3 py-2';

/** Group of fields with a legend and a note on it. */
export function FieldGroup({
  legend,
  note,
  children,
}: {
  readonly legend: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold">
        {legend}
        {note === undefined ? null : <span className="text-sm font-normal text-ink-soft"> {note}</span>}
      </legend>
      {children}
    </fieldset>
  );
}

interface CheckboxProps extends FieldProps {
  readonly value: string;
  readonly isChecked: boolean;
  readonly children: ReactNode;
}

/** Checkbox of a filter. A change is applied at once. */
export function Checkbox({ name, value, isChecked, actions, children }: CheckboxProps) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={isChecked}
        className="size-4 shrink-0 accent-accent"
        onChange={
          actions === undefined
            ? undefined
            : ({ currentTarget }) => {
                commit(currentTarget, actions);
              }
        }
      />
      {children}
    </label>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly label: string;
  readonly value: string;
  /** Values with their labels. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Menu of a filter. A change is applied at once. */
export function SelectField({ label, name, value, options, actions }: SelectFieldProps) {
  return (
    <label className="block min-w-0">
      <span className="font-semibold">{label}</span>
      <select
        name={name}
        defaultValue={value}
        className={FIELD_CLASS}
        onChange={
          actions === undefined
            ? undefined
            : ({ currentTarget }) => {
                commit(currentTarget, actions);
              }
        }
      >
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
  readonly label: string;
  readonly value: string | null;
  readonly inputMode: 'decimal' | 'url';
  readonly placeholder: string;
}

/** Text field of a filter. A change is applied when the visitor leaves the field or presses the Enter key. */
export function TextField({ label, name, value, inputMode, placeholder, actions }: TextFieldProps) {
  return (
    <label className="block min-w-0">
      <span className="font-semibold">{label}</span>
      <input
        type="text"
        name={name}
        defaultValue={value ?? ''}
        inputMode={inputMode}
        placeholder={placeholder}
        maxLength={260}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className={`${FIELD_CLASS} placeholder:text-ink-soft placeholder:opacity-100`}
        onBlur={
          actions === undefined
            ? undefined
            : ({ currentTarget }) => {
                if (currentTarget.value.trim() !== (value ?? '')) commit(currentTarget, actions);
              }
        }
      />
    </label>
  );
}

function commit({ form }: HTMLInputElement | HTMLSelectElement, actions: ExploreActions): void {
  if (form !== null) actions.onCommit(form);
}
