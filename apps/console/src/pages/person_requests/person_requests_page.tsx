import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { Clipped } from "../../components/clipped.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { ChoiceFilter, FilterBar, MemberFilter, WaitingFilter } from "../../components/filter_bar.tsx";
import { useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { storedText } from "../../components/stored_reason.ts";
import { Ago, Time } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";
import { AnswerForm } from "./answer_form.tsx";
import { RecordForm } from "./record_form.tsx";
import { requestKinds } from "./request_kinds.ts";

type PersonRequest = Admin["AdminPersonRequest"];

const column = columnsOf<PersonRequest>();
const states = ["open", "done", "refused", "lapsed"] as const;
const colours = { open: "yellow", done: "green", refused: "gray", lapsed: "gray" } as const;

export function Component() {
  const { t } = useTranslation(["person_requests", "words"]);
  const opened = useOpened("request");
  const [answered, setAnswered] = useState<PersonRequest>();
  const list = useList("/adminapi/person_request", {
    filters: { state: "text", kind: "text", waiting: "text", uid: "id" },
  });
  const columns = [
    column.time("received_at", t("received"), {
      cell: ({ state, received_at }) => (state === "open" ? <Ago value={received_at} /> : <Time value={received_at} />),
    }),
    column.member("uid", t("words:member"), { opens: true }),
    column.words("kind", t("kind"), ({ kind }) => t(`kinds.${kind}`), { width: 112 }),
    column.tag("state", t("words:state"), ({ state, is_overdue }) =>
      is_overdue ? [t("overdue"), "red"] : [t(`states.${state}`), colours[state]],
    ),
    column.time("due_at", t("due")),
    column.custom({
      id: "actions",
      title: t("actions"),
      cell: (row) =>
        row.state === "open" && (
          <Allowed area="members" inRow>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${t("reply.open")}: ${row.nickname}`}
              onClick={() => setAnswered(row)}
            >
              {t("reply.open")}
            </Button>
          </Allowed>
        ),
    }),
    column.text("note", t("note"), { width: 200, clipped: true, empty: "–" }),
    column.words("channel", t("channel"), ({ channel }) => t(`channels.${channel}`)),
    column.text("answer", t("answer"), {
      width: 200,
      cell: ({ answer }) => <Clipped text={answer ? storedText(answer) : "–"} />,
      csv: ({ answer }) => storedText(answer),
    }),
    column.time("closed_at", t("closed")),
    column.actor("closed_by", t("closedBy")),
    column.actor("recorded_by", t("recordedBy")),
  ];
  const add = (
    <Allowed area="members">
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => opened.open("new")}>
        {t("record.open")}
      </Button>
    </Allowed>
  );
  return (
    <Page title={t("title")} about={t("about")} actions={add}>
      <FilterBar of={list}>
        <ChoiceFilter
          name="state"
          label={t("words:state")}
          width={160}
          choices={states.map((value) => ({ value, label: t(`states.${value}`) }))}
        />
        <ChoiceFilter
          name="kind"
          label={t("kind")}
          width={160}
          choices={requestKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
        <WaitingFilter kinds={["overdue_person_request", "person_request"]} />
        <MemberFilter name="uid" label={t("words:member")} />
      </FilterBar>
      <DataTable
        name="person requests"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
        first={add}
      />
      {opened.id && <RecordForm uid={list.state.get("uid")} onClose={opened.close} />}
      {answered && <AnswerForm request={answered} onClose={() => setAnswered(undefined)} />}
    </Page>
  );
}
