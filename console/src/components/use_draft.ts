import { useForm, type UseFormReturnType } from "@mantine/form";
import { useEffect, useState } from "react";
import { failureOf } from "../store/failure.ts";

/** A form whose unsaved input outlives leaving the page, a reload, and the end of the session. */
export interface Draft<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** Whether the input is one that was left unsaved before. */
  isRestored: boolean;
  /** Goes back to what is saved. */
  discard(): void;
  /** Call when the store has taken the input. */
  forget(): void;
  /** The fields that differ from what was saved: all that is sent, so that what others saved meanwhile stays. */
  changes(): Partial<Values>;
  /** Shows beside its fields what the store says about them. @returns whether it said anything about a field */
  showRefusal: (error: unknown) => boolean;
}

function changesOf<Values extends Record<string, unknown>>(values: Values, saved: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name]))) as Partial<Values>;
}

const noErrors = (): FieldErrors => ({});

const keyOf = (name: string) => `store-console-draft ${name}`;

/** Keeps input as the draft of a form that is opened next. */
export function keepDraft(name: string, values: object): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(values));
}

/** Whether a draft is kept for a form, which it shows once it stands. */
export function isDraftKept(name: string): boolean {
  return sessionStorage.getItem(keyOf(name)) !== null;
}

/** Drops the draft that is kept for a form. */
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

/** What is wrong with which field, by the field's path, in words of the reader. */
export type FieldErrors = Record<string, string>;

/**
 * @param name of the form and of what it changes, as `product 12`
 * @param saved what the store has
 * @param check finds fields that are left empty or hold no number: what is a rule of the store is left to the store
 */
export function useDraft<Values extends Record<string, unknown>>(name: string, saved: Values, check: (values: Values) => FieldErrors = noErrors): Draft<Values> {
  const key = keyOf(name);
  const [kept] = useState(() => read<Values>(key));
  const form = useForm<Values>({ initialValues: saved, validate: check, validateInputOnBlur: true });
  const [isRestored, setRestored] = useState(kept !== undefined);
  const { values } = form;
  const isDirty = form.isDirty();

  // Set afterwards, so that "dirty" means "differs from what is saved"; once, on purpose.
  useEffect(() => {
    if (kept) form.setValues(kept);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the form has been opened
  }, []);

  useEffect(() => {
    if (isDirty) sessionStorage.setItem(key, JSON.stringify(changesOf(values, saved)));
    else sessionStorage.removeItem(key);
  }, [key, isDirty, values, saved]);

  const forget = () => {
    sessionStorage.removeItem(key);
    setRestored(false);
  };
  return {
    form,
    isRestored: isRestored && isDirty,
    discard: () => {
      forget();
      form.setValues(saved);
      form.clearErrors();
    },
    forget,
    changes: () => changesOf(form.getValues(), saved),
    showRefusal: (error) => {
      const { fields } = failureOf(error);
      form.setErrors(fields);
      return Object.keys(fields).length > 0;
    },
  };
}
