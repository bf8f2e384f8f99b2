import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { FailureBox } from "./failure_box.tsx";
import layout from "../../../shared/member_styles/layout.module.css";
import type { Form as FormState } from "./use_form.ts";

interface FormProps {
  of: Pick<FormState<object, unknown>, "submit" | "error">;
  children: ReactNode;
}

/** The fields of a form below the error of the last attempt to send it. */
export function Form({ of: { submit, error }, children }: FormProps) {
  return (
    <form
      className={layout.stack}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FailureBox error={error} />
      {children}
    </form>
  );
}

interface SubmitButtonProps {
  of: Pick<FormState<object, unknown>, "isPending">;
  disabled?: boolean;
  children: ReactNode;
}

/** Sends the form that it stands in. */
export function SubmitButton({ of: { isPending }, disabled = false, children }: SubmitButtonProps) {
  return (
    <Button block type="submit" color="primary" size="large" shape="rounded" disabled={disabled} loading={isPending}>
      {children}
    </Button>
  );
}
