import { Kbd, Modal, Stack, Switch, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useShortcutsSwitch } from "./use_shortcuts.ts";

const keys = { j: "next", k: "previous", Enter: "open", x: "select", "/": "search", "?": "help" } as const;

/** Says what the keys of the lists do, and switches them on and off. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["lists", "common"]);
  const [isOn, setOn] = useShortcutsSwitch();
  return (
    <Modal opened onClose={onClose} title={t("shortcuts.title")} closeButtonProps={{ "aria-label": t("common:close") }}>
      <Stack>
        <Switch
          label={t("shortcuts.on")}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => setOn(checked)}
        />
        <Table>
          <Table.Tbody>
            {Object.entries(keys).map(([key, does]) => (
              <Table.Tr key={key}>
                <Table.Td>
                  <Kbd>{key}</Kbd>
                </Table.Td>
                <Table.Td>{t(`shortcuts.${does}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Modal>
  );
}
