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
  /** Shows beside its fields what the store says about them. */
  showRefusal(error: unknown): void;
}

function changesOf<Values extends Record<string, unknown>>(values: Values, saved: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name]))) as Partial<Values>;
}

function read<Values>(key: string): Partial<Values> | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param name of the form and of what it changes, as `product 12`
 * @param saved what the store has
 */
export function useDraft<Values extends Record<string, unknown>>(name: string, saved: Values): Draft<Values> {
  const key = `store-console-draft ${name}`;
  const [kept] = useState(() => read<Values>(key));
  const form = useForm<Values>({ initialValues: saved });
  const [isRestored, setRestored] = useState(kept !== undefined);
  const { values } = form;
  const isDirty = form.isDirty();

  // Set afterwards, so that "dirty" means "differs from what is saved"; once, on purpose.
  useEffect(() => {
    if (kept) form.setValues(kept);
  }, []);

  useEffect(() => {
    if (isDirty) sessionStorage.setItem(key, JSON.stringify(changesOf(values, saved)));
    else sessionStorage.removeItem(key);
  }, [key, isDirty, values]);

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
    showRefusal: (error) => form.setErrors(failureOf(error).fields as Parameters<typeof form.setErrors>[0]),
  };
}
