import { Alert, Stack, Tabs, Text } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { CursorPages, cursorOf } from "../../components/cursor_pages.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useFormatTime } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { ReservedStock } from "./reserved_stock.tsx";
import { RetakenPlaces } from "./retaken_places.tsx";
import { SharedByMembers } from "./shared_by_members.tsx";
import { SharedOrders } from "./shared_orders.tsx";
import { type Kind, kinds, ofKind } from "./signal.ts";
import { SignUpBursts } from "./sign_up_bursts.tsx";

const rowsOfPage = 50;

/** One page of the signals of a kind, with what they mean. */
function Signals({ kind }: { kind: Kind }) {
  const { t } = useTranslation("signals");
  const state = useListState();
  const format = useFormatTime();
  const cursor = cursorOf(state);
  const result = useAdmin("/adminapi/signal", {
    params: { query: { kind, limit: rowsOfPage, ...(cursor && { cursor }) } },
  });
  // A page examines a bounded number of orders. Pages without a signal are passed over, up to the last one.
  const { list, next_cursor: next } = result.data ?? {};
  const isPassedOver = list?.length === 0 && next !== null && next !== undefined;
  useEffect(() => {
    if (isPassedOver) state.set({ cursor: String(next) });
    // oxlint-disable-next-line react/exhaustive-deps -- once for each page
  }, [next, isPassedOver]);
  return (
    <Stack>
      <Alert color="gray" title={t(`kind.${kind}.title`)}>
        <Text size="sm">{t(`kind.${kind}.meaning`)}</Text>
        <Text size="sm" mt="xs">
          {t(`kind.${kind}.advice`)}
        </Text>
      </Alert>
      <QueryResult of={result}>
        {({ list, next_cursor, examined_to }) => (
          <>
            {list.length === 0 && (
              <Text c="dimmed" role="status">
                {isPassedOver ? t("searching") : cursor === undefined ? t(`kind.${kind}.empty`) : t("emptyPage")}
              </Text>
            )}
            {list.length > 0 && (
              <>
                {kind === "retaken_place" && <RetakenPlaces rows={ofKind(list, kind)} />}
                {kind === "shared_order" && <SharedOrders rows={ofKind(list, kind)} />}
                {kind === "sign_up_burst" && <SignUpBursts rows={ofKind(list, kind)} />}
                {(kind === "shared_person" || kind === "shared_account") && (
                  <SharedByMembers kind={kind} rows={ofKind(list, kind)} />
                )}
                {kind === "reserved_stock" && <ReservedStock rows={ofKind(list, kind)} />}
              </>
            )}
            {examined_to !== null && (
              <Text size="sm" c="dimmed">
                {t("examinedTo", { time: format(examined_to) })}
              </Text>
            )}
            <CursorPages state={state} next={next_cursor} />
          </>
        )}
      </QueryResult>
    </Stack>
  );
}

export function Component() {
  const { t } = useTranslation("signals");
  const state = useListState();
  const shown = kinds.find((kind) => kind === state.get("kind")) ?? kinds[0];
  return (
    <Page title={t("title")} about={t("about")}>
      <Tabs
        value={shown}
        onChange={(kind) => state.set({ kind: kind === kinds[0] ? "" : (kind ?? ""), cursor: "" })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t("kinds")} mb="md">
          {kinds.map((kind) => (
            <Tabs.Tab key={kind} value={kind}>
              {t(`kind.${kind}.title`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {kinds.map((kind) => (
          <Tabs.Panel key={kind} value={kind}>
            <Signals kind={kind} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="sm">{t("whatToDo")}</Text>
    </Page>
  );
}
