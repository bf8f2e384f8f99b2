import { Alert, Button, FileButton, Group, Modal, Progress, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { unwrap } from "../../../../client/index.ts";
import { useAction } from "../../../../web/use_action.ts";
import { columnsOf } from "../../components/columns.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Tag } from "../../components/tag.tsx";
import { OrderLink } from "../../components/links.tsx";
import { useStore } from "../../store/store.ts";
import { useCarrierChoices, useCarrierName } from "./carriers.ts";
import { type CheckedLine, readShipmentFile, type ShipmentLine, UnreadableFile } from "./shipment_file.ts";

const column = columnsOf<CheckedLine>();
const colours = { fits: "green", unchanged: "gray", rejected: "red" } as const;
/** How many orders a request ships. If one fails, those before it are shipped, and repeating it changes nothing. */
const batch = 100;
const sequence = ["rejected", "fits", "unchanged"];

/** The lines of a file with what each does, first those that do not fit. */
function Lines({ lines, shipped }: { lines: CheckedLine[]; shipped: ReadonlySet<number> }) {
  const { t } = useTranslation("shipping");
  const carrierName = useCarrierName();
  const resultOf = ({ line, result }: CheckedLine) => t(`import.results.${result === "fits" && shipped.has(line) ? "shipped" : result}`);
  const columns = [
    column.number("line", t("import.line")),
    column.custom({
      id: "result",
      title: t("import.result"),
      cell: (line) => (
        <>
          <Tag color={colours[line.result]}>{resultOf(line)}</Tag>
          {line.problem && <Text size="sm">{t(`import.problems.${line.problem}`)}</Text>}
        </>
      ),
      csv: (line) => (line.problem ? t(`import.problems.${line.problem}`) : resultOf(line)),
    }),
    column.text("order_no", t("import.order"), {
      cell: ({ order_no, order_id }) => (
        <>
          <span className="figures">{order_no ?? "–"}</span> {order_id && <OrderLink id={order_id} />}
        </>
      ),
    }),
    column.text("carrier", t("carrier"), { cell: ({ carrier }) => (carrier ? carrierName(carrier) : "–") }),
    column.text("tracking_no", t("trackingNo"), { empty: "–" }),
  ];
  const sorted = lines.toSorted((one, other) => sequence.indexOf(one.result) - sequence.indexOf(other.result) || one.line - other.line);
  return (
    <PlainTable label={t("import.lines")} columns={columns} rows={sorted} rowId={({ line }) => line} maxHeight={360} exportAs="shipping" />
  );
}

/** Reads a file of a carrier, shows what each line does, and ships the orders of those that fit. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shipping", "common"]);
  const { admin } = useStore();
  const choices = useCarrierChoices();
  const [file, setFile] = useState<{ name: string; lines: ShipmentLine[] }>();
  const [problem, setProblem] = useState<UnreadableFile["reason"]>();
  const [carrier, setCarrier] = useState<string | null>(null);
  const [shipped, setShipped] = useState<CheckedLine[]>([]);
  const [isDone, setDone] = useState(false);
  const lines = (file?.lines ?? []).map((line) => (line.carrier === "" && carrier ? { ...line, carrier } : line));
  const ship = useAction((batchOfLines: ShipmentLine[], key) =>
    admin.POST("/adminapi/shipping", { body: { lines: batchOfLines }, ...key }),
  );
  const [isShipping, setShipping] = useState(false);
  const preview = useQuery({
    queryKey: ["shipping preview", lines],
    queryFn: () => unwrap(admin.POST("/adminapi/shipping/preview", { body: { lines } })),
    enabled: lines.length > 0 && !isShipping && !isDone,
  });

  async function choose(chosen: File | null) {
    if (!chosen) return;
    ship.reset();
    setShipped([]);
    setDone(false);
    setFile(undefined);
    setProblem(undefined);
    try {
      setFile({ name: chosen.name, lines: await readShipmentFile(chosen) });
    } catch (error) {
      setProblem(error instanceof UnreadableFile ? error.reason : "format");
    }
  }

  const numbers = new Set(preview.data?.lines.filter(({ result }) => result === "fits").map(({ line }) => line));
  const fitting = lines.filter(({ line }) => numbers.has(line));
  async function run() {
    setShipping(true);
    const results = new Map(shipped.map((line) => [line.line, line]));
    try {
      for (let from = 0; from < fitting.length; from += batch) {
        const { lines: done } = await ship.mutateAsync(fitting.slice(from, from + batch));
        for (const line of done) results.set(line.line, line);
        setShipped([...results.values()]);
      }
      setDone(true);
    } catch {
      // `ship.error` is shown, and the preview is read again: the orders of earlier requests are unchanged in it.
    } finally {
      setShipping(false);
    }
  }
  // After a failure, the preview says what is left.
  const finished = new Map((isShipping || isDone ? shipped : []).map((line) => [line.line, line]));
  const count = (result: CheckedLine["result"]) => shipped.filter((line) => line.result === result).length;

  return (
    <Modal
      opened
      onClose={() => !isShipping && onClose()}
      title={t("import.title")}
      size="xl"
      closeButtonProps={{ "aria-label": t("common:close"), disabled: isShipping }}
    >
      <Stack>
        <Text size="sm">{t("import.about")}</Text>
        <Group align="flex-end">
          <FileButton onChange={(chosen) => void choose(chosen)} accept=".csv,.xlsx" inputProps={{ "aria-label": t("import.file") }}>
            {(props) => (
              <Button {...props} variant={file ? "default" : "filled"} disabled={isShipping}>
                {t(file ? "import.another" : "import.choose")}
              </Button>
            )}
          </FileButton>
          {file && <Text size="sm">{t("import.read", { name: file.name, count: file.lines.length })}</Text>}
        </Group>
        {problem && (
          <Alert color="red" role="alert">
            {t(`import.unreadable.${problem}`)}
          </Alert>
        )}
        {file?.lines.some((line) => line.carrier === "") && (
          <Select
            label={t("import.carrier")}
            description={t("import.carrierMeaning")}
            data={choices}
            value={carrier}
            onChange={setCarrier}
            disabled={isShipping || isDone}
            searchable
            clearable
            clearButtonProps={{ "aria-label": t("common:clear") }}
          />
        )}
        {file && (
          <QueryResult of={preview} lines={4}>
            {(checked) => (
              <>
                <Text fw={600} role="status">
                  {isDone
                    ? t("import.done", { shipped: count("fits"), rejected: count("rejected") })
                    : t("import.summary", { fits: checked.fits, unchanged: checked.unchanged, rejected: checked.rejected })}
                </Text>
                <Lines lines={checked.lines.map((line) => finished.get(line.line) ?? line)} shipped={new Set(finished.keys())} />
              </>
            )}
          </QueryResult>
        )}
        {isShipping && (
          <Progress value={(shipped.length / Math.max(fitting.length, 1)) * 100} aria-label={t("import.progress")} animated={false} />
        )}
        <FailureAlert error={ship.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isShipping}>
            {t("common:close")}
          </Button>
          {!isDone && (
            <Button onClick={() => void run()} loading={isShipping} disabled={fitting.length === 0 || preview.isFetching}>
              {t("import.ship", { count: fitting.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
