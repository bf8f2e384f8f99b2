import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { EVENT_TYPES } from "../../../../../functions/_shared/notices/event_types.ts";
import { NotFoundPage } from "../../app/not_found_page.tsx";
import { Actor } from "../../components/actor.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { ChoiceFilter, FilterBar } from "../../components/filter_bar.tsx";
import { useIdOfPage } from "../../components/ids.ts";
import { OpenLink, useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";
import { useAdmin } from "../../store/store.ts";
import { DeliveryDrawer } from "./delivery_drawer.tsx";
import { useEventTitle } from "./event_titles.ts";
import { WebhookButtons } from "./webhook_buttons.tsx";
import { useWebhookState } from "./webhook_state.tsx";

const column = columnsOf<Admin["WebhookDelivery"]>();
const states = ["waiting", "delivered", "given_up"] as const;
const colours = { waiting: "blue", delivered: "green", given_up: "red" } as const;
const types = [...Object.keys(EVENT_TYPES), "webhook.gap", "webhook.test"];
const lookAgain = 15_000;

export function Component() {
  const id = useIdOfPage("id");
  return id === undefined ? <NotFoundPage /> : <WebhookPage id={id} />;
}

function WebhookPage({ id }: { id: number }) {
  const { t } = useTranslation("webhooks");
  const result = useAdmin("/adminapi/webhook/{id}", { params: { path: { id } } }, { refetchInterval: lookAgain });
  return (
    <Page
      title={result.data?.description ?? t("title")}
      back={{ to: "/webhooks", label: t("title") }}
      actions={result.data && <WebhookButtons webhook={result.data} />}
    >
      <QueryResult of={result}>{(webhook) => <About webhook={webhook} />}</QueryResult>
      <Deliveries id={id} />
    </Page>
  );
}

function About({ webhook }: { webhook: Admin["Webhook"] }) {
  const { t } = useTranslation(["webhooks", "actions"]);
  const titleOf = useEventTitle();
  const [words, colour] = useWebhookState()(webhook);
  return (
    <Section title={t("settings")} actions={<Tag color={colour}>{words}</Tag>}>
      <DescriptionList
        items={[
          [t("address"), webhook.url],
          [t("types"), webhook.types.map(titleOf).join(t("actions:listed"))],
          ...(webhook.failing_since
            ? [[t("failingSince"), <Time key="failing" value={webhook.failing_since} />] as [string, React.ReactNode]]
            : []),
          [t("secretMade"), <Time key="secret" value={webhook.secret_made_at} />],
          ...(webhook.former_secret_ends_at
            ? [
                [t("formerEnds"), <Time key="former" value={webhook.former_secret_ends_at} />] as [
                  string,
                  React.ReactNode,
                ],
              ]
            : []),
          [t("madeBy"), <Actor key="by" actor={webhook.created_by} />],
          [t("created"), <Time key="created" value={webhook.created_at} />],
        ]}
      />
    </Section>
  );
}

function Deliveries({ id }: { id: number }) {
  const { t } = useTranslation(["webhooks", "words"]);
  const titleOf = useEventTitle();
  const opened = useOpened("delivery");
  const list = useList("/adminapi/webhook/{id}/delivery", {
    filters: { state: "text", type: "text" },
    params: { path: { id } },
    refetchInterval: lookAgain,
  });
  const delivery = list.result.data?.list.find((row) => String(row.id) === opened.id);
  const columns = [
    column.text("type", t("event"), {
      opens: true,
      cell: (row) => <OpenLink name="delivery" id={row.id} title={titleOf(row.type)} />,
      csv: ({ type }) => type,
    }),
    column.words("subject", t("subject"), ({ subject, subject_id }) =>
      subject ? t(`subjects.${subject}`, { id: subject_id }) : "–",
    ),
    column.tag("state", t("words:state"), ({ state }) => [t(`deliveryStates.${state}`), colours[state]]),
    column.number("attempts", t("attempts")),
    column.number("status", t("status")),
    column.text("problem", t("problem"), { clipped: true, empty: "–" }),
    column.time("run_after", t("next")),
    column.time("created_at", t("since")),
  ];
  return (
    <Stack component="section" aria-label={t("deliveries")}>
      <FilterBar of={list}>
        <ChoiceFilter
          name="state"
          label={t("words:state")}
          choices={states.map((value) => ({ value, label: t(`deliveryStates.${value}`) }))}
        />
        <ChoiceFilter
          name="type"
          label={t("event")}
          choices={types.map((value) => ({ value, label: titleOf(value) }))}
        />
      </FilterBar>
      <DataTable
        name="webhook deliveries"
        label={t("deliveries")}
        columns={columns}
        rowId={(row) => row.id}
        list={list}
        empty={t("noDeliveries")}
      />
      {delivery && <DeliveryDrawer webhook={id} delivery={delivery} onClose={opened.close} />}
    </Stack>
  );
}
