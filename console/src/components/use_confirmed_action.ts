import { useDisclosure } from "@mantine/hooks";
import type { UseMutationResult } from "@tanstack/react-query";
import { notify } from "./notify.ts";

/**
 * A write with a confirm dialog.
 * @param action made by `useAction`
 * @param done the message after success
 * @param refused is called with every error, in addition to the dialog that shows it
 */
export function useConfirmedAction<Input, Answer>(action: UseMutationResult<Answer, unknown, Input>, done: (answer: Answer) => string, refused?: (error: unknown) => void) {
  const [opened, dialog] = useDisclosure(false);
  return {
    /** Opens the dialog without an earlier error. */
    ask: () => {
      action.reset();
      dialog.open();
    },
    /** Sends the request. If it fails, the dialog stays open and shows the error. */
    confirm: (input: Input) =>
      action.mutate(input, {
        onSuccess: (answer) => {
          notify(done(answer));
          dialog.close();
        },
        ...(refused && { onError: refused }),
      }),
    /** Properties for `ConfirmDialog`. */
    dialog: { opened, waiting: action.isPending, error: action.error, onClose: dialog.close },
  };
}
