/** Content of the plain search field, which the field with suggestions replaces. */
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

/** Gives a field the focus and the selection of the field that it replaces. Both fields already have the same text. */
export function restoreFocus(field: HTMLInputElement, state: FieldState): void {
  if (!state.isFocused) return;
  field.focus({ preventScroll: true });
  field.setSelectionRange(state.selectionStart, state.selectionEnd);
}

/** Loads a module at the first focus of a field, or at once if the field has the focus, and passes the module to `apply`. */
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
