import { Alert, Button, FileButton, Group, Modal, Progress, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { unwrap } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { columnsOf } from "../../components/columns.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Tag } from "../../components/tag.tsx";
import { OrderLink } from "../../components/links.tsx";
import { useStore } from "../../store/store.ts";
import { useCarrierChoices, useCarrierName } from "./carriers.ts";
import {
  batchesOf,
  type CheckedLine,
  type Column,
  columnNames,
  linesOf,
  mostLines,
  type Places,
  readShipmentFile,
  type ShipmentLine,
  type ShipmentTable,
  UnreadableFile,
} from "./shipment_file.ts";

const column = columnsOf<CheckedLine>();
const colours = { fits: "green", unchanged: "gray", rejected: "red" } as const;
/** How many parcels a request sends. If one fails, those before it are shipped, and repeating it changes nothing. */
const batch = 100;
const sequence = ["rejected", "fits", "unchanged"];

/** The lines of a file with what each does, first those that do not fit. */
function Lines({ lines, shipped }: { lines: CheckedLine[]; shipped: ReadonlySet<number> }) {
  const { t } = useTranslation("shipping");
  const carrierName = useCarrierName();
  const resultOf = ({ line, result }: CheckedLine) =>
    t(`import.results.${result === "fits" && shipped.has(line) ? "shipped" : result}`);
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
  const sorted = lines.toSorted(
    (one, other) => sequence.indexOf(one.result) - sequence.indexOf(other.result) || one.line - other.line,
  );
  return (
    <PlainTable
      label={t("import.lines")}
      columns={columns}
      rows={sorted}
      rowId={({ line }) => line}
      maxHeight={360}
      exportAs="shipping"
    />
  );
}

/** The columns of a file, as its titles name them; the person can choose others. */
function Columns({
  table,
  places,
  onChoose,
}: {
  table: ShipmentTable;
  places: Places;
  onChoose?: (places: Places) => void;
}) {
  const { t } = useTranslation(["shipping", "common"]);
  const data = table.columns.map(({ place, title }) => ({
    value: String(place),
    label: t("import.column", { number: place + 1, title }),
  }));
  const titleOf = { order_no: t("import.order"), carrier: t("carrier"), tracking_no: t("trackingNo") };
  const choose = (column: Column, place: string | null) => {
    const { [column]: _, ...others } = places;
    onChoose?.(place === null ? others : { ...others, [column]: Number(place) });
  };
  return (
    <Group grow>
      {columnNames.map((column) => (
        <Select
          key={column}
          label={t("import.columnOf", { title: titleOf[column] })}
          data={data}
          value={places[column] === undefined ? null : String(places[column])}
          onChange={(place) => choose(column, place)}
          disabled={onChoose === undefined}
          required={column !== "carrier"}
          clearable={column === "carrier"}
          clearButtonProps={{ "aria-label": t("common:clear") }}
        />
      ))}
    </Group>
  );
}

/** Reads a file of a carrier, shows what each line does, and ships the orders of those that fit. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["shipping", "common"]);
  const { admin } = useStore();
  const choices = useCarrierChoices();
  const [file, setFile] = useState<{ name: string; table: ShipmentTable; places: Places }>();
  const [problem, setProblem] = useState<UnreadableFile>();
  const [carrier, setCarrier] = useState<string | null>(null);
  const [shipped, setShipped] = useState<CheckedLine[]>([]);
  const [isDone, setDone] = useState(false);
  const read = file ? linesOf(file.table, file.places) : [];
  const lines =
    read.length > mostLines ? [] : read.map((line) => (line.carrier === "" && carrier ? { ...line, carrier } : line));
  const isTitled = file?.places.order_no !== undefined && file.places.tracking_no !== undefined;
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
      const table = await readShipmentFile(chosen);
      setFile({ name: chosen.name, table, places: await chosenColumns(table) });
    } catch (error) {
      setProblem(error instanceof UnreadableFile ? error : new UnreadableFile("format"));
    }
  }

  /** If several columns may have the numbers of the orders, takes the one by which the store knows most. */
  async function chosenColumns(table: ShipmentTable): Promise<Places> {
    const found = await Promise.all(
      table.orderPlaces.slice(0, 4).map(async (order_no) => {
        const places = { ...table.places, order_no };
        const sample = linesOf(table, places).slice(0, batch);
        if (table.orderPlaces.length < 2 || sample.length === 0) return { places, orders: 0 };
        const { lines: checked } = await unwrap(admin.POST("/adminapi/shipping/preview", { body: { lines: sample } }));
        return { places, orders: checked.filter(({ order_id }) => order_id !== null).length };
      }),
    ).catch(() => []);
    const most = Math.max(0, ...found.map(({ orders }) => orders));
    const best = found.filter(({ orders }) => orders === most);
    return most > 0 && best.length === 1 ? best[0]!.places : table.places;
  }

  const fits = new Map(
    preview.data?.lines.flatMap(({ line, result, order_id }) => (result === "fits" ? [[line, order_id]] : [])),
  );
  const fitting = lines.filter(({ line }) => fits.has(line));
  async function run() {
    setShipping(true);
    const results = new Map(shipped.map((line) => [line.line, line]));
    try {
      for (const parcels of batchesOf(fitting, ({ line }) => fits.get(line), batch)) {
        const { lines: done } = await ship.mutateAsync(parcels);
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
  const resultsOf = (checked: CheckedLine[]) => checked.map((line) => finished.get(line.line) ?? line);
  /** The lines that do not fit, and the orders of the others: an order can have several parcels. */
  const counts = (checked: CheckedLine[]) => {
    const orders = (result: CheckedLine["result"]) =>
      new Set(checked.filter((line) => line.result === result).map(({ order_id }) => order_id)).size;
    const rejected = checked.filter(({ result }) => result === "rejected").length;
    return { fits: orders("fits"), shipped: orders("fits"), unchanged: orders("unchanged"), rejected };
  };

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
          <FileButton
            onChange={(chosen) => void choose(chosen)}
            accept=".csv,.txt,.tsv,.xlsx"
            inputProps={{ "aria-label": t("import.file") }}
          >
            {(props) => (
              <Button {...props} variant={file ? "default" : "filled"} disabled={isShipping}>
                {t(file ? "import.another" : "import.choose")}
              </Button>
            )}
          </FileButton>
          {file && <Text size="sm">{t("import.read", { name: file.name, count: read.length })}</Text>}
        </Group>
        {problem && (
          <Alert color="red" role="alert">
            {t(`import.unreadable.${problem.reason}`, { line: problem.line })}
          </Alert>
        )}
        {file && (
          <Columns
            {...file}
            {...(!isShipping && !isDone && { onChoose: (places: Places) => setFile({ ...file, places }) })}
          />
        )}
        {file && (!isTitled || read.length === 0 || read.length > mostLines) && (
          <Alert color="red" role="alert">
            {t(`import.unreadable.${!isTitled ? "titles" : read.length === 0 ? "empty" : "long"}`)}
          </Alert>
        )}
        {read.some((line) => line.carrier === "") && (
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
        {lines.length > 0 && (
          <QueryResult of={preview} lines={4}>
            {(checked) => (
              <>
                <Text fw={600} role="status">
                  {t(isDone ? "import.done" : "import.summary", counts(resultsOf(checked.lines)))}
                </Text>
                <Lines lines={resultsOf(checked.lines)} shipped={new Set(finished.keys())} />
              </>
            )}
          </QueryResult>
        )}
        {isShipping && (
          <Progress
            value={(shipped.length / Math.max(fitting.length, 1)) * 100}
            aria-label={t("import.progress")}
            animated={false}
          />
        )}
        <FailureAlert error={ship.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isShipping}>
            {t("common:close")}
          </Button>
          {!isDone && (
            <Button
              onClick={() => void run()}
              loading={isShipping}
              disabled={fitting.length === 0 || preview.isFetching}
            >
              {t("import.ship", { count: new Set(fitting.map(({ line }) => fits.get(line))).size })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
