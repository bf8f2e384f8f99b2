import { Alert, Button, Group, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatCount, formatCurrency } from "../../components/figures.tsx";
import { DownloadButton } from "../../components/download_button.tsx";
import { Section } from "../../components/section.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useAdmin, useStore } from "../../store/store.ts";

type Batch = Admin["WithdrawalBatch"];

const column = columnsOf<Batch>();

const newest = 20;

/** Puts all approved withdrawals of a method into a batch. */
export function NewBatch({ onCreated }: { onCreated: () => void }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const [method, setMethod] = useState<Batch["method"]>("bank");
  // The choice, and the held amount for which it was made: for another amount, the administrator chooses again.
  const [decided, setDecided] = useState<{ held: string; choice: string }>();
  const create = useAction(
    (body: { method: Batch["method"]; held_by_refunds?: string; leaves_out_held?: boolean }, key) =>
      admin.POST("/adminapi/withdrawal/batch", { body, ...key }),
  );
  const confirmation = useConfirmedAction(
    create,
    ({ batch_no, withdrawals, amount }) => {
      onCreated();
      return t("batches.done", { number: batch_no, count: withdrawals, amount: formatCurrency(amount) });
    },
    () => void preview.refetch(),
  );
  const preview = useQuery({
    queryKey: ["batch preview", method],
    queryFn: ({ signal }) => unwrap(admin.POST("/adminapi/withdrawal/batch/preview", { body: { method }, signal })),
    enabled: confirmation.dialog.opened,
  });
  const { withdrawals = 0, held: heldCount = 0, held_by_refunds: held = null } = preview.data ?? {};
  const choice = held !== null && decided?.held === held ? decided.choice : null;
  return (
    <>
      <Button onClick={confirmation.ask}>{t("batches.open")}</Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("batches.dialogTitle")}
        action={t("batches.create")}
        disabled={!preview.data || (held !== null && choice === null)}
        onConfirm={() =>
          confirmation.confirm({
            method,
            ...(choice === "leaveOut" ? { leaves_out_held: true } : held !== null && { held_by_refunds: held }),
          })
        }
      >
        <Text>{t("batches.meaning")}</Text>
        <Select
          label={t("batches.method")}
          data={(["bank", "alipay"] as const).map((value) => ({ value, label: t(`methods.${value}`) }))}
          value={method}
          onChange={(value) => {
            setMethod(value as Batch["method"]);
            setDecided(undefined);
          }}
          allowDeselect={false}
          description={preview.data && t("batches.waiting", { count: withdrawals })}
        />
        <FailureAlert error={preview.error} onRetry={() => void preview.refetch()} />
        {held !== null && (
          <Alert color="orange">
            <Radio.Group
              label={t("held.batch", { count: heldCount, amount: formatCurrency(held) })}
              value={choice}
              onChange={(value) => setDecided({ held, choice: value })}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="leaveOut" label={t("held.leaveOut")} disabled={heldCount === withdrawals} />
                <Radio value="pay" label={t("held.confirm", { amount: formatCurrency(held) })} />
              </Stack>
            </Radio.Group>
          </Alert>
        )}
      </ConfirmDialog>
    </>
  );
}

const filePaths = { xlsx: "/adminapi/withdrawal_batch/{id}/xlsx", csv: "/adminapi/withdrawal_batch/{id}" } as const;

/** Downloads the file for the bank. */
function DownloadFile({ batch: { id, batch_no }, format }: { batch: Batch; format: keyof typeof filePaths }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  return (
    <DownloadButton
      size="compact-sm"
      label={t(`batches.formats.${format}`)}
      description={`${t(`batches.formats.${format}`)}: ${batch_no}`}
      name={`${batch_no}.${format}`}
      request={(signal) => admin.GET(filePaths[format], { params: { path: { id } }, signal, parseAs: "stream" })}
    />
  );
}

function MarkPaid({ batch: { id, batch_no, paying } }: { batch: Batch }) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const [reference, setReference] = useState("");
  const mark = useAction((payment_ref: string, key) =>
    admin.PUT("/adminapi/withdrawal_batch/{id}/paid", {
      params: { path: { id } },
      body: payment_ref === "" ? {} : { payment_ref },
      ...key,
    }),
  );
  const confirmation = useConfirmedAction(mark, () => t("batches.paidDone"));
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t("batches.paid")}: ${batch_no}`}
        onClick={confirmation.ask}
      >
        {t("batches.paid")}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("batches.paidTitle", { number: batch_no })}
        action={t("batches.paid")}
        onConfirm={() => confirmation.confirm(reference.trim())}
      >
        <Text>{t("batches.paidMeaning", { count: paying })}</Text>
        <TextInput
          label={t("paid.reference")}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          maxLength={128}
        />
      </ConfirmDialog>
    </>
  );
}

/** The newest batches. */
export function useBatches() {
  const source = { path: "/adminapi/withdrawal_batch", params: { query: { limit: newest } } } as const;
  return { source, result: useAdmin(source.path, { params: source.params }, { placeholderData: keepPreviousData }) };
}

/** The newest batches, with their files. */
export function Batches({ onShow }: { onShow: (id: number) => void }) {
  const { t } = useTranslation("withdrawals");
  const list = useBatches();
  const columns = [
    column.text("batch_no", t("batch"), {
      width: 128,
      cell: ({ batch_no }) => <span className="figures">{batch_no}</span>,
    }),
    column.custom({
      id: "file",
      title: t("batches.download"),
      width: 376,
      cell: (batch) => (
        <Group gap="xs">
          <Allowed area="money" inRow>
            <DownloadFile batch={batch} format="xlsx" />
          </Allowed>
          <Allowed area="money" inRow>
            <DownloadFile batch={batch} format="csv" />
          </Allowed>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`${t("batches.show")}: ${batch.batch_no}`}
            onClick={() => onShow(batch.id)}
          >
            {t("batches.show")}
          </Button>
          {batch.paying > 0 && (
            <Allowed area="money" inRow>
              <MarkPaid batch={batch} />
            </Allowed>
          )}
        </Group>
      ),
    }),
    column.words("method", t("method"), ({ method }) => t(`methods.${method}`), { width: 84 }),
    column.money("amount", t("net")),
    column.count("withdrawals", t("batches.withdrawals")),
    column.money("tax", t("tax")),
    column.custom({
      id: "ended",
      width: 112,
      title: t("batches.ended"),
      cell: ({ paid, failed, paying }) => `${formatCount(paid)} / ${formatCount(failed)} / ${formatCount(paying)}`,
      csv: ({ paid, failed, paying }) => `${paid} / ${failed} / ${paying}`,
    }),
    column.time("add_time", t("batches.created")),
    column.actor("created_by", t("batches.by"), { csv: ({ created_by }) => created_by?.nickname }),
  ];
  return (
    <Section title={t("batches.title")} about={t("batches.about")}>
      <DataTable
        name="batches"
        label={t("batches.title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("batches.empty")}
      />
    </Section>
  );
}
