import { Button, Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * A dialog above the open page, which stays until it is answered, so that no input is lost. `level` is above that of
 * any dialog that it can cover.
 */
export function LastingDialog(props: {
  title: string;
  level: number;
  children: ReactNode;
  refusal: string;
  onRefuse: () => void;
}) {
  const { title, level, children, refusal, onRefuse } = props;
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={title}
      zIndex={level}
    >
      {children}
      <Group justify="flex-end" mt="sm">
        <Button variant="subtle" size="compact-sm" onClick={onRefuse}>
          {refusal}
        </Button>
      </Group>
    </Modal>
  );
}
