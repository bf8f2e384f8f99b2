import { Center, Loader } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** In the place of what is on its way. @param height what it fills until then */
export function Loading({ height }: { height: string | number }) {
  const { t } = useTranslation("common");
  return <Center mih={height}><Loader aria-label={t("loading")} /></Center>;
}
