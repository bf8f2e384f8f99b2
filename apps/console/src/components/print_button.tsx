import { Button } from "@mantine/core";
import { Printer } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Prints the page as it is. `print.css` leaves out menu, filters and buttons. */
export function PrintButton() {
  const { t } = useTranslation("common");
  return (
    <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
      {t("print.button")}
    </Button>
  );
}
