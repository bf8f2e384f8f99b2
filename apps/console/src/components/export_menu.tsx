import { Button, Menu } from "@mantine/core";
import { Download } from "lucide-react";
import { createContext, Fragment, type ReactNode, useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { fileFormats } from "./download_button.tsx";
import { ExportProgress } from "./export_progress.tsx";
import { type SaveRows, useExport } from "./use_export.ts";

interface Offer {
  label: string;
  count: number;
  save: SaveRows;
}

/** What the tables within a page offer to export. They are asked when the menu opens. */
export const Offers = createContext<Map<string, Offer> | undefined>(undefined);

/** A page of several tables whose exports are in one menu instead of below each of them. */
export function OneExportMenu({ children }: { children: ReactNode }) {
  const [offers] = useState(() => new Map<string, Offer>());
  return <Offers value={offers}>{children}</Offers>;
}

/** The menu: each table of the page in either format. */
export function ExportMenu() {
  const { t } = useTranslation("common");
  const offers = useContext(Offers)!;
  // A state of this component, so that it looks up the offers when it opens.
  const [isOpen, setOpen] = useState(false);
  const { run, running, stop } = useExport();
  if (running) return <ExportProgress of={running} onStop={stop} />;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
          {t("export.menu")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70dvh" style={{ overflow: "auto" }}>
        {Array.from(offers, ([id, { label, count, save }]) => (
          <Fragment key={id}>
            <Menu.Label>{label}</Menu.Label>
            {fileFormats.map((format) => (
              <Menu.Item
                key={format}
                aria-label={`${t(`export.${format}`)}: ${label}`}
                onClick={() => void run(save, count, format)}
              >
                {t(`export.${format}`)}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
