import { Button, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmDialog } from "./confirm_dialog.tsx";
import { useDeed } from "./use_deed.ts";
import type { Draft } from "./use_draft.ts";

interface SaveDraftButtonProps<Values extends Record<string, unknown>, Input, Answer> {
  draft: Draft<Values>;
  /** Made by `useAction`. */
  save: UseMutationResult<Answer, unknown, Input>;
  /** What is sent. */
  input: () => Input;
  words: { noChange: string; save: string; title: string; deed: string; meaning: string };
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
    if (draft.showRefusal(error) || refused?.(error)) deed.dialog.onClose();
  };
  const deed = useDeed(save, taken, showRefusal);
  const ask = () => {
    if (!draft.form.validate().hasErrors) deed.ask();
  };

  return (
    <>
      {!isDirty && <Text size="sm" c="dimmed">{words.noChange}</Text>}
      <Button disabled={!isDirty} onClick={ask}>{words.save}</Button>
      <ConfirmDialog {...deed.dialog} title={words.title} deed={words.deed} size="lg" onConfirm={() => deed.confirm(input())}>
        <Text>{words.meaning}</Text>
        {deed.dialog.opened && children}
      </ConfirmDialog>
    </>
  );
}
