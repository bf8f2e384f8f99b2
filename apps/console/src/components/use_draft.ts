import { useForm, type UseFormReturnType } from "@mantine/form";
import { useEffect, useState } from "react";
import { failureOf } from "../../../shared/failure.ts";

/** A form whose unsaved input survives navigation, a reload and the end of the session. */
export interface Draft<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** Whether the input is unsaved input of an earlier visit. */
  isRestored: boolean;
  /** Restores the saved values. */
  discard(): void;
  /** Call after the input was saved. */
  forget(): void;
  /**
   * The fields that differ from the saved values. Only these are sent, so that concurrent changes of other fields are
   * kept.
   */
  changes(): Partial<Values>;
  /** Shows the errors of the store beside the fields. @returns whether any error names a field */
  showRejection: (error: unknown) => boolean;
}

function changesOf<Values extends Record<string, unknown>>(values: Values, saved: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name])),
  ) as Partial<Values>;
}

const noErrors = (): FieldErrors => ({});

const keyOf = (name: string) => `store-console-draft ${name}`;

/** Stores input as a draft for a form that is opened later. */
export function keepDraft(name: string, values: object): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(values));
}

/** Whether there is a draft for a form. */
export function isDraftKept(name: string): boolean {
  return sessionStorage.getItem(keyOf(name)) !== null;
}

/** Deletes the draft of a form. */
export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}

function read<Values>(key: string): Partial<Values> | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined) as Partial<Values> | undefined;
  } catch {
    return undefined;
  }
}

/** Error messages by field path. */
export type FieldErrors = Record<string, string>;

/**
 * Calls a function, but not while a button of the mouse is down: an error that it shows under the field that is left
 * would move what is being clicked away from under the pointer, and the click would be lost.
 */
function afterPress(act: () => void): void {
  if (document.querySelector(":active")) document.addEventListener("mouseup", () => setTimeout(act), { once: true });
  else act();
}

/**
 * @param name of the form and the record, such as `product 12`
 * @param saved the values in the store
 * @param check finds empty fields and fields without a number. The rules of the store are checked by the store
 */
export function useDraft<Values extends Record<string, unknown>>(
  name: string,
  saved: Values,
  check: (values: Values) => FieldErrors = noErrors,
): Draft<Values> {
  const key = keyOf(name);
  const [kept] = useState(() => read<Values>(key));
  const form = useForm<Values>({
    initialValues: saved,
    validate: check,
    enhanceGetInputProps: ({ form: fields, field }) => ({
      onBlur: () => afterPress(() => void fields.validateField(field)),
    }),
  });
  const [isRestored, setRestored] = useState(kept !== undefined);
  const { values } = form;
  const isDirty = form.isDirty();

  // Set after the initial values, so that "dirty" means "differs from the saved values".
  useEffect(() => {
    if (kept) form.setValues(kept);
    // oxlint-disable-next-line react/exhaustive-deps -- only when the form is opened
  }, []);

  useEffect(() => {
    if (isDirty) sessionStorage.setItem(key, JSON.stringify(changesOf(values, saved)));
    else sessionStorage.removeItem(key);
  }, [key, isDirty, values, saved]);

  const forget = () => {
    sessionStorage.removeItem(key);
    setRestored(false);
    // Input that is no longer dirty is not stored again before the form is replaced by one with the saved values.
    form.resetDirty();
  };
  return {
    form,
    isRestored: isRestored && isDirty,
    discard: () => {
      form.setValues(saved);
      forget();
      form.clearErrors();
    },
    forget,
    changes: () => changesOf(form.getValues(), saved),
    showRejection: (error) => {
      const { fields } = failureOf(error);
      form.setErrors(fields);
      return Object.keys(fields).length > 0;
    },
  };
}
