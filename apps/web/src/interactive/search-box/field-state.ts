/** State of the plain search field. The field with suggestions replaces the plain field and receives this state. */
export interface FieldState {
  readonly text: string;
  /** True if the visitor changed the text. */
  readonly isTyped: boolean;
  readonly isFocused: boolean;
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/** Reads the content, the selection and the focus of a field. */
export function readField(field: HTMLInputElement): FieldState {
  const { value, defaultValue, selectionStart, selectionEnd } = field;
  return {
    text: value,
    isTyped: value !== defaultValue,
    isFocused: field.ownerDocument.activeElement === field,
    selectionStart,
    selectionEnd,
  };
}

/**
 * Sets the focus and the selection of a field to the state of the field that it replaces. Both fields have the same
 * text.
 */
export function restoreFocus(field: HTMLInputElement, state: FieldState): void {
  if (!state.isFocused) return;
  field.focus({ preventScroll: true });
  field.setSelectionRange(state.selectionStart, state.selectionEnd);
}

/**
 * Loads a module when a field gets the focus, or immediately if the field has the focus. Passes the module to `apply`.
 */
export function loadAtFocus<Module>(
  field: HTMLInputElement,
  load: () => Promise<Module>,
  apply: (module: Module) => void,
): void {
  const start = (): void => {
    void load().then(apply);
  };
  if (field.ownerDocument.activeElement === field) start();
  else field.addEventListener('focus', start, { once: true });
}
