import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../../shared/failure.ts";

/** The names of those values that are texts. */
type TextOf<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string;

/** What a text field of a form needs. */
interface BoundField {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

/** A form as its page sees it. */
export interface Form<Values, Outcome> {
  values: Values;
  /** Changes some of the values. */
  change: (changes: Partial<Values>) => void;
  /** Binds a text field to a value. @param path of the field in the request, if it is not the name of the value */
  field: (name: TextOf<Values>, path?: string) => BoundField;
  /** Sends the values. */
  submit: () => void;
  isPending: boolean;
  /** What the last attempt threw. The errors of single fields are in `field`, too. */
  error: unknown;
  /** What the last attempt returned. */
  outcome: Outcome | undefined;
}

/**
 * The values of a form and its last attempt to send them.
 * @param initial the values at first
 * @param send sends the values. The form shows what it throws
 * @param onSent acts on the success, if the form is still shown by then
 */
export function useForm<Values extends object, Outcome>(
  initial: Values,
  send: (values: Values) => Promise<Outcome>,
  onSent: (outcome: Outcome) => void = () => undefined,
): Form<Values, Outcome> {
  const [values, setValues] = useState(initial);
  const attempt = useMutation({ networkMode: "always", mutationFn: () => send(values) });
  const errors = attempt.error ? failureOf(attempt.error).fields : {};
  const change = (changes: Partial<Values>) => setValues((current) => ({ ...current, ...changes }));
  return {
    values,
    change,
    field: (name, path = name) => ({
      name,
      value: values[name] as string,
      error: errors[path],
      onChange: ({ target }) => change({ [name]: target.value } as Partial<Values>),
    }),
    submit: () => attempt.mutate(undefined, { onSuccess: onSent }),
    isPending: attempt.isPending,
    error: attempt.error,
    outcome: attempt.data,
  };
}
