import { Button, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "./confirm_dialog.tsx";
import { useConfirmedAction } from "./use_confirmed_action.ts";
import type { Draft } from "./use_draft.ts";

interface SaveDraftButtonProps<Values extends Record<string, unknown>, Input, Answer> {
  draft: Draft<Values>;
  /** Made by `useAction`. */
  save: UseMutationResult<Answer, unknown, Input>;
  /** What is sent. */
  input: () => Input;
  words: { noChange: string; save: string; title: string; action: string; meaning: string };
  /** What is told when the store has taken it. */
  done: (answer: Answer) => string;
  /** Hears of a refusal. @returns whether it is dealt with outside of the dialog, which then closes */
  refused?: (error: unknown) => boolean;
  /** What the dialog shows of the changes. */
  children?: ReactNode;
}

/**
 * Puts a draft in force, after a dialog; says so while there is nothing to save. Nothing is asked while a field is wrong, and a
 * refusal that names fields goes back to them.
 */
export function SaveDraftButton<Values extends Record<string, unknown>, Input, Answer>({ draft, save, input, words, done, refused, children }: SaveDraftButtonProps<Values, Input, Answer>) {
  const isDirty = draft.form.isDirty();
  const taken = (answer: Answer) => {
    draft.forget();
    return done(answer);
  };
  const showRefusal = (error: unknown) => {
    if (draft.showRefusal(error) || refused?.(error)) confirmation.dialog.onClose();
  };
  const confirmation = useConfirmedAction(save, taken, showRefusal);
  const ask = () => {
    if (!draft.form.validate().hasErrors) confirmation.ask();
  };

  return (
    <>
      {!isDirty && <Text size="sm" c="dimmed">{words.noChange}</Text>}
      <Button disabled={!isDirty} onClick={ask}>{words.save}</Button>
      <ConfirmDialog {...confirmation.dialog} title={words.title} action={words.action} size="lg" onConfirm={() => confirmation.confirm(input())}>
        <Text>{words.meaning}</Text>
        {confirmation.dialog.opened && children}
      </ConfirmDialog>
    </>
  );
}
