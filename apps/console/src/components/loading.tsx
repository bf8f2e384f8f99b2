import { Center, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A placeholder for content that is loading. @param height in pixels */
export function Loading({ height }: { height: string | number }) {
  const { t } = useTranslation("common");
  return (
    <Center mih={height}>
      <Loader role="status" aria-label={t("loading")} />
    </Center>
  );
}
