import { Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Page } from "../components/page.tsx";
import { useServerIsBack } from "./server_is_back.ts";

/** A part of the console that could not be loaded, without a connection or because a newer version has replaced its files. */
export class PageNotLoaded extends Error {}

/** Loads a part of the console on demand. @throws PageNotLoaded */
export function load<Part>(part: () => Promise<Part>): () => Promise<Part> {
  return () => part().catch((cause: unknown) => {
    throw new PageNotLoaded("A file of the console could not be loaded.", { cause });
  });
}

/** Shown instead of a page that could not be loaded. The page opens when the connection is restored. */
export function PageNotLoadedPage() {
  const { t } = useTranslation("common");
  const { isAway, ask } = useServerIsBack();
  return (
    <Page title={t("notLoaded.title")}>
      <Text role="status">{t(isAway ? "notLoaded.noConnection" : "notLoaded.newer")}</Text>
      <div><Button onClick={isAway ? ask : () => location.reload()}>{t(isAway ? "tryAgain" : "reload")}</Button></div>
    </Page>
  );
}
