import { Button, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Allowed } from "./allowed.tsx";
import { ConfirmDialog } from "./confirm_dialog.tsx";
import { useConfirmedAction } from "./use_confirmed_action.ts";
import type { Draft } from "./use_draft.ts";

interface SaveDraftButtonProps<Values extends Record<string, unknown>, Input, Output> {
  draft: Draft<Values>;
  /** Made by `useAction`. */
  save: UseMutationResult<Output, unknown, Input>;
  /** The input to send. */
  input: () => Input;
  words: { noChange: string; save: string; title: string; action: string; meaning: string };
  /** The message after success. */
  done: (result: Output) => string;
  /** Is called with an error. @returns whether the error is handled outside the dialog, which then closes */
  rejected?: (error: unknown) => boolean;
  /** Shows the changes in the dialog. */
  children?: ReactNode;
}

/**
 * Activates a draft, after a confirm dialog. Without changes, it says that there is nothing to save. While a field is
 * invalid, the dialog does not open. Errors that name fields are shown at the fields.
 */
export function SaveDraftButton<Values extends Record<string, unknown>, Input, Output>({
  draft,
  save,
  input,
  words,
  done,
  rejected,
  children,
}: SaveDraftButtonProps<Values, Input, Output>) {
  const isDirty = draft.form.isDirty();
  const taken = (result: Output) => {
    draft.forget();
    return done(result);
  };
  const showRejection = (error: unknown) => {
    if (draft.showRejection(error) || rejected?.(error)) confirmation.dialog.onClose();
  };
  const confirmation = useConfirmedAction(save, taken, showRejection);
  const ask = () => {
    if (!draft.form.validate().hasErrors) confirmation.ask();
  };

  return (
    <>
      {!isDirty && (
        <Text size="sm" c="dimmed">
          {words.noChange}
        </Text>
      )}
      <Allowed area="plan">
        <Button disabled={!isDirty} onClick={ask}>
          {words.save}
        </Button>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={words.title}
        action={words.action}
        size="lg"
        onConfirm={() => confirmation.confirm(input())}
      >
        <Text>{words.meaning}</Text>
        {confirmation.dialog.opened && children}
      </ConfirmDialog>
    </>
  );
}
