import type { ReactNode } from "react";
import type { Admin } from "../../../client/index.ts";
import { Actor, actorCsv } from "./actor.tsx";
import { Clipped } from "./clipped.tsx";
import type { Column, CsvValue } from "./column.ts";
import { Count, Money, Points, Share } from "./figures.tsx";
import { MemberLink, memberCsv, OrderLink } from "./links.tsx";
import { Tag } from "./tag.tsx";
import { Day, Time } from "./time.tsx";

/** The fields with values of a type, or null. A text of an enumeration is not a `string`: its words are shown. */
type Fields<Row, Value> = {
  [Key in keyof Row & string]-?: [NonNullable<Row[Key]>, Value] extends [Value, NonNullable<Row[Key]>] ? Key : never;
}[keyof Row & string];
type Numbers<Row> = Fields<Row, number>;
/** To the type check, times and amounts of money are texts. The name of a field says whether it is a time. */
type Times<Row> = Extract<Fields<Row, string>, `${string}_${"at" | "time" | "after"}`>;
type Texts<Row> = Exclude<Fields<Row, string>, Times<Row>>;

/** Replaces what a column of this type shows or exports. `sort` sorts by the field, or by another sort key. */
interface Options<Row> extends Partial<
  Pick<Column<Row>, "cell" | "csv" | "opens" | "sortNote" | "isFileOnly" | "width">
> {
  sort?: true | string;
}

interface SignedOptions<Row> extends Options<Row> {
  /** With a plus sign, for changes of a balance. */
  signed?: true;
}

interface TextOptions<Row> extends Options<Row> {
  /** In one line. */
  clipped?: true;
  /** Shown instead of null. */
  empty?: string;
}

interface NameOptions<Row> extends Options<Row> {
  /** The field with the name, or a function that knows it. */
  name: Texts<Row> | ((uid: number) => string | null);
}

/**
 * Declares the columns of a list: each of these functions gives cell, exported value, alignment and sort key of a
 * column. A column of a field has its name as the id.
 */
export function columnsOf<Row extends object>() {
  /** @param show takes values of the type that the caller allows for the field */
  function field(
    id: string,
    title: string,
    show: (value: never, row: Row) => ReactNode,
    { sort, ...replaced }: Options<Row> = {},
    others: Partial<Column<Row>> = {},
  ): Column<Row> {
    return {
      id,
      title,
      cell: (row) => show(row[id as keyof Row] as never, row),
      csv: (row) => row[id as keyof Row] as CsvValue,
      ...(sort && { sort: sort === true ? id : sort }),
      ...others,
      ...replaced,
    };
  }
  // The widths have room for what the fields of a kind usually have, such as 1,234,567.89 or 106,542.5969.
  const amount = { align: "right", isAmount: true, width: 112 } as const;
  const points = { align: "right", width: 128 } as const;
  const order = { isTime: true, width: 72 } as const;
  const time = { isTime: true, width: 152 } as const;
  const number =
    (show: (value: number | null) => ReactNode) => (key: Numbers<Row>, title: string, options?: Options<Row>) =>
      field(key, title, show, options, { align: "right", width: 84 });

  return {
    text: (key: Texts<Row>, title: string, { clipped, empty, ...options }: TextOptions<Row> = {}) =>
      field(
        key,
        title,
        (text: string | null) => (clipped ? <Clipped text={text ?? empty ?? ""} /> : (text ?? empty)),
        options,
      ),
    money: (key: Texts<Row>, title: string, { signed, ...options }: SignedOptions<Row> = {}) =>
      field(key, title, (value: string | null) => <Money value={value} signed={signed} />, options, amount),
    points: (key: Numbers<Row>, title: string, { signed, ...options }: SignedOptions<Row> = {}) =>
      field(key, title, (value: number | null) => <Points value={value} signed={signed} />, options, points),
    count: number((value) => <Count value={value} />),
    /** A number that counts nothing, such as a place or a version. */
    number: number((value) => value),
    share: number((value) => <Share value={value} />),
    time: (key: Times<Row>, title: string, options?: Options<Row>) =>
      field(key, title, (value: string | null) => <Time value={value} />, options, time),
    day: (key: Texts<Row>, title: string, options?: Options<Row>) =>
      field(key, title, (value: string | null) => <Day value={value} />, options, { width: 116 }),
    order: (key: Numbers<Row>, title: string, options?: Options<Row>) =>
      field(key, title, (id: number | null) => <OrderLink id={id} />, options, order),
    /** A member by uid. Only the name that belongs to the field `uid` can be known without the options: `nickname`. */
    member: <Key extends Numbers<Row>>(
      key: Key,
      title: string,
      ...[options]: [Key, "nickname"] extends ["uid", Texts<Row>]
        ? [options?: Partial<NameOptions<Row>>]
        : [options: NameOptions<Row>]
    ) => {
      const { name = "nickname", ...others } = options ?? {};
      const memberOf = (row: Row) => {
        const uid = row[key] as number | null;
        const nickname = typeof name === "function" ? name(uid ?? 0) : (row[name as keyof Row] as string | null);
        return { uid, nickname };
      };
      return field(key, title, (_, row) => <MemberLink {...memberOf(row)} />, others, {
        csv: (row) => {
          const { uid, nickname } = memberOf(row);
          return memberCsv(uid, nickname);
        },
      });
    },
    /** Who did something. */
    actor: (key: Fields<Row, NonNullable<Admin["Actor"]>>, title: string, options?: Options<Row>) =>
      field(key, title, (actor: Admin["Actor"]) => <Actor actor={actor} />, options, {
        csv: (row) => actorCsv(row[key as keyof Row] as Admin["Actor"]),
      }),
    /** What a row is in words, for example the words for a value of an enumeration. */
    words: (
      id: string,
      title: string,
      wordsOf: (row: Row) => string,
      options: Omit<Options<Row>, "sort"> = {},
    ): Column<Row> => ({
      id,
      title,
      cell: wordsOf,
      csv: wordsOf,
      ...options,
    }),
    /** Words in a coloured pill. */
    tag: (
      id: string,
      title: string,
      tagOf: (row: Row) => readonly [words: string, color: string],
      width = 128,
    ): Column<Row> => ({
      id,
      title,
      width,
      cell: (row) => {
        const [words, color] = tagOf(row);
        return <Tag color={color}>{words}</Tag>;
      },
      csv: (row) => tagOf(row)[0],
    }),
    /** A column of another type. Without `csv`, it is not exported. */
    custom: (column: Column<Row>) => column,
  };
}
