import { useDisclosure } from "@mantine/hooks";
import type { UseMutationResult } from "@tanstack/react-query";
import { notify } from "./notify.ts";

/**
 * A write of the store that a dialog asks about first.
 * @param action made by `useAction`
 * @param done what is told when the store has taken it
 * @param refused hears of every failure, beside the dialog, which shows it
 */
export function useConfirmedAction<Input, Answer>(action: UseMutationResult<Answer, unknown, Input>, done: (answer: Answer) => string, refused?: (error: unknown) => void) {
  const [opened, dialog] = useDisclosure(false);
  return {
    /** Opens the dialog, without what was refused before. */
    ask: () => {
      action.reset();
      dialog.open();
    },
    /** Sends it; the dialog stays open with the reason where it is refused. */
    confirm: (input: Input) =>
      action.mutate(input, {
        onSuccess: (answer) => {
          notify(done(answer));
          dialog.close();
        },
        ...(refused && { onError: refused }),
      }),
    /** What `ConfirmDialog` has to know. */
    dialog: { opened, waiting: action.isPending, error: action.error, onClose: dialog.close },
  };
}
